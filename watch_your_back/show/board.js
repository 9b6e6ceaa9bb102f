// The drawing of a board, as `frame.py` and `figure.py` describe it: the same elements, made in the browser.
// A board is {box, under, over, places, ground, dark}; a cell holds [stacks, marks], a stack is [side, kind, words, height].

const EDGES = new Set(["horizontal", "vertical"]);
const PLAIN = new Set(["piece", "man", "stone", "box", "edge"]);
const BADGE = 0.36;
const LARGEST = 64; // pixels of a distance of 1
const HEX_CORNER = 1 / Math.sqrt(3);
const trimmed = (value) => String(Number(value.toFixed(3)) + 0);
const colourOf = (side, dark) => (side === null ? "nobody" : side === dark ? "dark" : "light");

/** Everything in a picture: `last` are the cells of the last action, `gone` those from which it took pieces. */
function drawBoard(svg, board, contents, last, gone) {
  const [, , width, height] = board.box;
  svg.setAttribute("viewBox", board.box.map(trimmed).join(" "));
  svg.classList.toggle("wide", width > 24 && width > 1.5 * height); // several boards side by side need all the room
  svg.style.maxWidth = `${LARGEST * width}px`;
  const at = (cell) => board.places[cell];
  const parts = board.under.map(fixed);
  parts.push(...drawGround(board, contents));
  contents.forEach(([stacks, marks], cell) => {
    if (!stacks.length) parts.push(...drawMarks(at(cell), marks));
  });
  if (last.length > 1) {
    const stops = last.map((cell) => `${trimmed(at(cell)[0])} ${trimmed(at(cell)[1])}`);
    parts.push(element("path", "path", { d: `M${stops.join("L")}` }));
  }
  contents.forEach(([stacks, marks], cell) => {
    if (!stacks.length) return;
    const [x, y] = at(cell);
    parts.push(...drawPieces(at(cell), stacks, board.dark), ...drawMarks([x + BADGE, y - BADGE], marks, "mark badge"));
  });
  for (const cell of gone) {
    const [x, y] = at(cell);
    parts.push(element("path", "gone", { d: `M${trimmed(x - 0.2)} ${trimmed(y - 0.2)}l.4 .4m0 -.4l-.4 .4` }));
  }
  parts.push(...last.map((cell) => drawOutline(at(cell))), ...board.over.map(fixed));
  svg.replaceChildren(...parts);
}

function element(name, kind, attributes, text = "") {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  made.setAttribute("class", kind);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, typeof value === "number" ? trimmed(value) : value);
  }
  if (text) made.textContent = text;
  return made;
}

const fixed = ([name, { class: kind, ...attributes }, text]) => element(name, kind, attributes, text);

/** The cells without their pieces, those that look alike together. */
function drawGround(board, contents) {
  const paths = new Map();
  contents.forEach(([, marks], cell) => {
    const [x, y, shape, tone] = board.places[cell];
    const kind = ["cell", tone, marks.includes("corner") && "corner"].filter(Boolean).join(" ");
    if (marks.includes("removed") || !(board.ground || kind !== "cell")) return;
    let form = "";
    if (shape === "square") form = `M${trimmed(x - 0.5)} ${trimmed(y - 0.5)}h1v1h-1z`;
    if (shape === "hex") form = hexagon(x, y, 0.5);
    if (shape === "point" && tone) form = `M${trimmed(x)} ${trimmed(y - 0.32)}a.32 .32 0 0 1 0 .64a.32 .32 0 0 1 0 -.64z`;
    paths.set(kind, (paths.get(kind) ?? "") + form);
  });
  return [...paths].filter(([, d]) => d).map(([kind, d]) => element("path", kind, { d }));
}

function hexagon(x, y, reach) {
  const [side, half] = [reach * HEX_CORNER, reach * HEX_CORNER * 2];
  const [left, right, upper, lower] = [x - reach, x + reach, y - side, y + side].map(trimmed);
  return `M${trimmed(x)} ${trimmed(y - half)}L${right} ${upper}V${lower}L${trimmed(x)} ${trimmed(y + half)}L${left} ${lower}V${upper}z`;
}

/** What is known of a cell: in its middle, or as a badge at the corner of what stands there. */
function drawMarks([x, y], marks, kind = "mark") {
  const from = `M${trimmed(x - 0.2)} ${trimmed(y - 0.2)}`;
  return marks.flatMap((mark) => {
    if (mark === "removed" || (mark === "star" && kind !== "mark")) return [];
    if (mark === "star") return [element("circle", "dot", { cx: x, cy: y, r: 0.1 })];
    if (mark === "corner") return [element("path", "cross", { d: `${from}l.4 .4m0 -.4l-.4 .4` })];
    return [element("path", kind, { d: `M${trimmed(x)} ${trimmed(y - 0.15)}l.15 .15 -.15 .15 -.15 -.15z` })];
  });
}

/** The pieces of a cell: one stack as a disc, several below each other. */
function drawPieces([x, y, shape], stacks, dark) {
  if (EDGES.has(shape)) return stacks.map(([side]) => drawEdge(x, y, shape, colourOf(side, dark)));
  if (stacks.length === 1) return drawStack(x, y, shape, stacks[0], colourOf(stacks[0][0], dark));
  const height = 0.92 / Math.max(stacks.length, 1);
  const middle = (level) => y - 0.46 + (level + 0.5) * height;
  return stacks
    .toReversed()
    .flatMap((stack, level) => drawBar(x, middle(level), height, stack, colourOf(stack[0], dark)));
}

/** Whether it is a thing that lies about, and no piece of a side or of both. */
const isTag = ([side, kind, words]) => side === null && words !== "" && !PLAIN.has(kind);

function drawEdge(x, y, shape, colour) {
  const kind = colour === "nobody" ? "edge" : `stone ${colour}`;
  const [long, thin] = shape === "horizontal" ? [0.86, 0.14] : [0.14, 0.86];
  return element("rect", kind, { x: x - long / 2, y: y - thin / 2, width: long, height: thin, rx: 0.07 });
}

function drawStack(x, y, shape, stack, colour) {
  const [, kind, words, height] = stack;
  const parts = [];
  if (isTag(stack)) {
    const tag = element("rect", `stone ${colour} tag`, { x: x - 0.34, y: y - 0.24, width: 0.68, height: 0.48, rx: 0.06 });
    return [tag, drawLetters(words, colour, x, y, Math.min(0.34, 0.9 / [...words].length))];
  }
  if (kind === "box") {
    parts.push(element("rect", `stone ${colour}`, { x: x - 0.36, y: y - 0.36, width: 0.72, height: 0.72, rx: 0.08 }));
  } else {
    const r = shape === "point" ? 0.4 : 0.37;
    if (height > 1) parts.push(element("circle", `stone ${colour} under`, { cx: x + 0.07, cy: y + 0.07, r }));
    parts.push(element("circle", `stone ${colour}`, { cx: x, cy: y, r }));
  }
  if (words) parts.push(drawLetters(words, colour, x, y, Math.min(0.5, 0.8 / [...words].length)));
  return parts;
}

function drawBar(x, y, height, stack, colour) {
  const words = stack[2];
  const [kind, rx] = isTag(stack) ? [`stone ${colour} tag`, 0.06] : [`stone ${colour}`, 0.4 * height];
  const size = { x: x - 0.43, y: y - 0.45 * height, width: 0.86, height: 0.9 * height, rx };
  const parts = [element("rect", kind, size)];
  if (words) parts.push(drawLetters(words, colour, x, y, Math.min(0.5, 0.78 * height, 1 / [...words].length)));
  return parts;
}

const drawLetters = (words, colour, x, y, size) => element("text", `letter ${colour}`, { x, y, "font-size": size }, words);

/** What marks a cell of the last action. */
function drawOutline([x, y, shape]) {
  if (shape === "hex") return element("path", "last", { d: hexagon(x, y, 0.44) });
  if (shape === "point") return element("circle", "last", { cx: x, cy: y, r: 0.47 });
  if (shape === "horizontal") return element("rect", "last", { x: x - 0.5, y: y - 0.17, width: 1, height: 0.34, rx: 0.1 });
  if (shape === "vertical") return element("rect", "last", { x: x - 0.17, y: y - 0.5, width: 0.34, height: 1, rx: 0.1 });
  return element("rect", "last", { x: x - 0.44, y: y - 0.44, width: 0.88, height: 0.88 });
}
