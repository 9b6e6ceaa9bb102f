// A board in characters, for a terminal's eyes: signs written on the sheet of its layout.

/** The cells of the last action are in brackets. */
function boardText(board, contents, last) {
  const { lines, spots, empty, stroke } = board.sheet;
  const rows = lines.map((line) => [...line]);
  const named = new Set(last);
  contents.forEach(([stacks, , sign], cell) => {
    const shape = board.places[cell][2];
    const across = shape === "horizontal";
    let words = [...(sign || empty[cell])];
    if (EDGES.has(shape)) words = Array(across ? stroke : 1).fill(stacks.length ? (across ? "─" : "│") : " ");
    let [start, row] = [spots[cell][0] - Math.floor(words.length / 2), spots[cell][1]];
    if (named.has(cell)) {
      if (across) words = words.slice(1, -1);
      else start -= 1;
      words = ["[", ...words, "]"];
    }
    if (!words.join("").trim()) return;
    while (rows[row].length < start) rows[row].push(" ");
    rows[row].splice(start, words.length, ...words);
  });
  return rows.map((row) => row.join("").trimEnd()).join("\n");
}

/** An action in words: (3, 2), (3, 2) → (3, 3), pass. */
function actionText(action) {
  if (action === null) return "pass";
  if (!Array.isArray(action)) return String(action);
  if (action.length && action.every((part) => Array.isArray(part))) return action.map(actionText).join(" → ");
  return `(${action.map((part) => (Array.isArray(part) ? actionText(part) : String(part))).join(", ")})`;
}
