// Touching a board: the cells that the legal actions begin or go on with, by pointer and by keyboard.

const REACH = { square: 0.5, hex: 0.5, point: 0.5 };

/** The shape that is touched for a cell: larger than what is drawn, where that is thin. */
function touchShape([x, y, shape]) {
  if (shape === "hex") return draw("path", { d: hexagon(x, y, REACH.hex) });
  if (shape === "point") return draw("circle", { cx: x, cy: y, r: REACH.point });
  const [wide, high] = shape === "horizontal" ? [0.9, 0.5] : shape === "vertical" ? [0.5, 0.9] : [1, 1];
  return draw("rect", { x: x - wide / 2, y: y - high / 2, width: wide, height: high });
}

/** What shows that a cell can be touched: a dot on an empty one, a ring around a piece; a thick one once it is chosen. */
function sign([x, y, shape], held, chosen) {
  const edge = EDGES.has(shape);
  if (held && !edge) return draw("circle", { class: chosen ? "chosen" : "ring", cx: x, cy: y, r: 0.44 });
  if (chosen) return draw("circle", { class: "chosen", cx: x, cy: y, r: 0.3 });
  if (edge) {
    const [wide, high] = shape === "horizontal" ? [0.34, 0.1] : [0.1, 0.34];
    return draw("rect", { class: "hint", x: x - wide / 2, y: y - high / 2, width: wide, height: high, rx: 0.05 });
  }
  return draw("circle", { class: "hint", cx: x, cy: y, r: 0.11 });
}

/** Which cells of a board can be touched now. */
export class Targets {
  /** `touch` is called with the cell that is touched, a target or not; `name` says what a cell is called. */
  constructor(svg, board, { touch, name }) {
    this.svg = svg;
    this.board = board;
    this.touch = touch;
    this.name = name;
    this.group = null; // what is drawn for them
    this.cells = [];
    this.at = null; // the cell that Tab leads to
    this.lost = false; // whether the focus was here when there was last something to touch
    svg.addEventListener("click", (event) => this.clicked(event));
    svg.addEventListener("keydown", (event) => this.keyed(event));
  }

  /** To be called before what is shown of them is taken away, and maybe the focus with it. */
  leave() {
    const active = document.activeElement;
    this.lost = this.svg.contains(active) || (this.lost && active === document.body);
  }

  /** Show these targets instead of others: `cells` can be touched, `chosen` have been; with `any`, all others can be
   * touched too, for an explanation. */
  show(contents, cells, chosen, any) {
    this.leave();
    const focused = this.lost;
    const group = draw("g", { class: "targets" });
    this.cells = [...new Set([...cells, ...chosen])].sort((a, b) => this.order(a, b));
    const places = this.board.places;
    if (any) {
      const rest = places.map((_, cell) => cell).filter((cell) => !this.cells.includes(cell) && !contents[cell][1].includes("removed"));
      rest.sort((a, b) => EDGES.has(places[a][2]) - EDGES.has(places[b][2]));
      group.append(...rest.map((cell) => draw("g", { class: "elsewhere", "data-cell": cell }, touchShape(places[cell]))));
    }
    if (this.cells.length && !this.cells.includes(this.at)) this.at = focused ? this.nearest(this.at) : this.cells[0];
    for (const cell of this.cells) {
      const isChosen = chosen.includes(cell);
      const attributes = { class: "target", role: "button", "data-cell": cell, tabindex: cell === this.at ? 0 : -1, "aria-label": this.name(cell) };
      if (isChosen) attributes["aria-pressed"] = "true";
      group.append(draw("g", attributes, touchShape(places[cell]), sign(places[cell], contents[cell][0].length > 0, isChosen)));
    }
    this.group?.remove();
    this.group = group;
    this.svg.append(group);
    if (focused && this.cells.length) this.element(this.at)?.focus({ preventScroll: true });
  }

  element(cell) {
    return this.svg.querySelector(`.target[data-cell="${cell}"]`);
  }

  /** From top to bottom, and from left to right. */
  order(a, b) {
    const [[x1, y1], [x2, y2]] = [this.board.places[a], this.board.places[b]];
    return Math.abs(y1 - y2) > 0.1 ? y1 - y2 : x1 - x2;
  }

  distance(a, b) {
    const [[x1, y1], [x2, y2]] = [this.board.places[a], this.board.places[b]];
    return Math.hypot(x1 - x2, y1 - y2);
  }

  nearest(cell) {
    if (cell === null || !this.cells.length) return this.cells[0] ?? null;
    return this.cells.reduce((best, each) => (this.distance(each, cell) < this.distance(best, cell) ? each : best));
  }

  clicked(event) {
    const cell = event.target.closest("[data-cell]");
    if (cell) this.touch(Number(cell.dataset.cell));
  }

  keyed(event) {
    const target = event.target.closest(".target");
    if (!target || event.altKey || event.ctrlKey || event.metaKey) return;
    const cell = Number(target.dataset.cell);
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.at = cell;
      this.touch(cell);
      return;
    }
    const step = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
    let next = null;
    if (step) next = this.towards(cell, step);
    if (event.key === "Home") next = this.cells[0];
    if (event.key === "End") next = this.cells.at(-1);
    if (!step && next === null) return;
    event.preventDefault();
    if (next === null) return;
    target.setAttribute("tabindex", -1);
    this.at = next;
    this.element(next).setAttribute("tabindex", 0);
    this.element(next).focus();
  }

  /** The target that lies nearest in a direction. */
  towards(cell, [dx, dy]) {
    const [x, y] = this.board.places[cell];
    let [best, least] = [null, Infinity];
    for (const other of this.cells) {
      const [along, across] = [(this.board.places[other][0] - x) * dx + (this.board.places[other][1] - y) * dy, (this.board.places[other][0] - x) * dy - (this.board.places[other][1] - y) * dx];
      if (along < 0.1) continue;
      const far = along + 2.5 * Math.abs(across);
      if (far < least) [best, least] = [other, far];
    }
    return best;
  }
}
