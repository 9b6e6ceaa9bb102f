// A board as SVG and as text, drawn from the contents of its cells: pieces as [side, kind], and kinds of marks.

const PLAIN = new Set(["piece", "man", "stone"]);
const SEAT = ["first", "second"];
const seat = (side) => SEAT[side] ?? "neutral";

/** Everything in a picture: cells, pieces, the cells of the last action, and where pieces vanished. */
function drawBoard(svg, columns, rows, contents, last, gone) {
  svg.setAttribute("viewBox", `-0.6 -0.6 ${columns + 0.7} ${rows + 0.7}`);
  const parts = [];
  const stones = [];
  const label = (text, x, y) => parts.push(draw("text", { class: "coordinate", x, y }, text));
  for (let x = 0; x < columns; x += 1) label(x, x + 0.5, -0.3);
  for (let y = 0; y < rows; y += 1) label(y, -0.3, y + 0.5);
  contents.forEach(([pieces, marks], cell) => {
    const [x, y] = [cell % columns, Math.floor(cell / columns)];
    if (marks.includes("removed")) return;
    const corner = marks.includes("corner");
    parts.push(draw("rect", { class: corner ? "cell corner" : "cell", x, y, width: 1, height: 1 }));
    for (const mark of marks) {
      if (mark !== "corner") parts.push(draw("text", { class: "mark", x: x + 0.5, y: y + 0.85 }, mark));
    }
    pieces.forEach((piece, layer) => stones.push(...drawPiece(piece, x + 0.5 + layer * 0.08, y + 0.5 - layer * 0.08)));
  });
  if (last.length > 1) {
    const middles = last.map(([x, y]) => `${x + 0.5} ${y + 0.5}`);
    parts.push(draw("path", { class: "path", d: `M${middles.join("L")}` }));
  }
  parts.push(...stones);
  for (const [x, y] of gone) parts.push(draw("path", { class: "gone", d: `M${x + 0.3} ${y + 0.3}l.4 .4m0 -.4l-.4 .4` }));
  last.forEach(([x, y]) => parts.push(draw("rect", { class: "last", x: x + 0.06, y: y + 0.06, width: 0.88, height: 0.88 })));
  svg.replaceChildren(...parts);
}

function drawPiece([side, kind], x, y) {
  const parts = [draw("circle", { class: `stone ${seat(side)}`, cx: x, cy: y, r: 0.36 })];
  if (!PLAIN.has(kind) || side === null) {
    parts.push(draw("text", { class: `letter ${seat(side)}`, x, y }, kind.charAt(0).toUpperCase()));
  }
  return parts;
}

/** The board for a terminal's eyes; the cells of the last action are in brackets. */
function boardText(columns, rows, contents, last) {
  const named = new Set(last.map(([x, y]) => y * columns + x));
  const lines = [`   ${Array.from({ length: columns }, (_, x) => ` ${x} `.slice(0, 3)).join("")}`];
  for (let y = 0; y < rows; y += 1) {
    let line = `${String(y).padStart(2)} `;
    for (let x = 0; x < columns; x += 1) {
      const sign = cellText(contents[y * columns + x]);
      line += named.has(y * columns + x) ? `[${sign}]` : ` ${sign} `;
    }
    lines.push(line);
  }
  return lines.map((line) => line.trimEnd()).join("\n");
}

function cellText([pieces, marks]) {
  if (marks.includes("removed")) return " ";
  if (!pieces.length) return marks.includes("corner") ? "X" : "·";
  const [side, kind] = pieces[0];
  if (side === null) return kind.charAt(0).toLowerCase();
  if (PLAIN.has(kind)) return "○●"[side];
  return side ? kind.charAt(0).toLowerCase() : kind.charAt(0).toUpperCase();
}

/** The cells that an action names: its pairs of numbers that are coordinates. */
function cellsOf(action, columns, rows) {
  if (!Array.isArray(action)) return [];
  if (action.length === 2 && action.every(Number.isInteger)) {
    const [x, y] = action;
    return x >= 0 && x < columns && y >= 0 && y < rows ? [[x, y]] : [];
  }
  return action.flatMap((part) => cellsOf(part, columns, rows));
}

/** An action in words: (3, 2), (3, 2) → (3, 3), pass. */
function actionText(action) {
  if (action === null) return "pass";
  if (!Array.isArray(action)) return String(action);
  if (action.every((part) => Array.isArray(part))) return action.map(actionText).join(" → ");
  return `(${action.map((part) => (Array.isArray(part) ? actionText(part) : String(part))).join(", ")})`;
}
