// Elements made of plain text only, and numbers as people read them (`quantities.py` writes the same ones in the same way).

const find = (id) => document.getElementById(id);

/** An element with attributes and children; a string becomes text, never markup. */
function make(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** The same for SVG. */
function draw(name, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function filled(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(key, "");
    else if (value !== false && value != null) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child != null && child !== false));
  return element;
}

function short(value) {
  if (value >= 9.95 || Math.abs(value - Math.round(value)) < 1e-9) return Math.round(value).toLocaleString("en");
  return value >= 0.95 ? value.toFixed(1) : String(Number(value.toPrecision(2)));
}

function seconds(value) {
  for (const [factor, unit] of [[1e6, "µs"], [1e3, "ms"]]) {
    if (Math.round(value * factor) < 1000) return value ? `${short(value * factor)} ${unit}` : "0 s";
  }
  return `${short(value)} s`;
}

const megabytes = (value) => `${value < 0.95 && value ? value.toFixed(1) : short(value)} MB`;
const count = (number, one, many = `${one}s`) => `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
const points = (value) => (Number.isInteger(value) ? String(value) : `${Math.floor(value) || ""}½`);
const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);

const disc = (side) => make("span", { class: side === data.board.dark ? "disc second" : "disc", "aria-hidden": "true" });
