// The form for a new match: what there is to choose is told by the server, which also makes sure of it.

import { Refused, get, post } from "./requests.js";

const { over } = JSON.parse(find("data").textContent); // the match that is taken over, if one is
const { games, agents } = await get("/api/offers");
const game = () => games.find((each) => each.id === find("game").value);

for (const { id, title } of games) find("game").append(make("option", { value: id }, title));
find("game").addEventListener("change", showGame);
find("order").addEventListener("submit", begin);
if (over) {
  find("game").value = over.game;
  find("game").disabled = true;
  document.querySelector(".lead").textContent = `You go on where it stood: ${over.told}.`;
}
showGame();

function showGame() {
  const { rules, options } = game();
  const paragraphs = rules.split(/\n\s*\n/).map((each) => make("p", {}, ...marked(each)));
  find("rules").querySelector("div").replaceChildren(...paragraphs);
  find("options").hidden = Boolean(over);
  find("options").querySelector(".fields").replaceChildren(...options.map(optionField));
  showSides();
}

/** Words as they are written in the rules: between backquotes is what is typed; only indented lines stay lines. */
function marked(words) {
  const flowing = /\n[ \t]/.test(words) ? words : words.replaceAll("\n", " ");
  return flowing.split("`").map((part, index) => (index % 2 ? make("code", {}, part) : part));
}

/** A field with its label, its help and room for what is wrong with it. */
function field(id, words, control, help = "") {
  const about = [help && `help-${id}`, `error-${id}`].filter(Boolean).join(" ");
  control.id = id;
  control.setAttribute("aria-describedby", about);
  const label = make("label", { for: id }, words);
  const error = make("p", { class: "mistake", id: `error-${id}`, hidden: true });
  return make("div", { class: "field" }, label, control, help && make("p", { class: "quiet", id: `help-${id}` }, help), error);
}

function optionField({ name, kind, default: usual, help, minimum, maximum, choices, file }) {
  const words = capital(name.replaceAll("_", " "));
  let control;
  if (file) control = make("input", { type: "file", accept: ".json,application/json" });
  else if (choices || kind === "bool") {
    control = make("select");
    for (const each of choices ?? [true, false]) {
      const shown = kind === "bool" ? (each ? "yes" : "no") : String(each);
      control.append(make("option", { value: JSON.stringify(each), selected: each === usual }, shown));
    }
  } else control = make("input", { type: "text", inputmode: kind === "int" ? "numeric" : kind === "float" ? "decimal" : "text", autocomplete: "off", value: String(usual) });
  control.dataset.option = name;
  const range = [minimum !== null && `from ${minimum}`, maximum !== null && `to ${maximum}`].filter(Boolean).join(" ");
  return field(`option-${name}`, words, control, [help, range && !choices && `(${range})`].filter(Boolean).join(" "));
}

function showSides() {
  const before = [0, 1].map((side) => find(`seat-${side}`)?.value);
  const parts = game().sides.map((name, side) => {
    const select = make("select");
    select.append(make("option", { value: "person" }, "A person, on this screen"));
    const groups = { named: "Given at the start", bundled: "The ladder, the strongest at the end", local: "In this folder" };
    for (const [kind, label] of Object.entries(groups)) {
      const offered = agents.filter((agent) => agent.kind === kind && (!agent.plays || agent.plays === find("game").value));
      if (offered.length) select.append(make("optgroup", { label }, ...offered.map((agent) => make("option", { value: agent.id }, agent.name))));
    }
    select.value = before[side] ?? (side ? (agents.find((agent) => agent.id === "random")?.id ?? "person") : "person");
    if (select.selectedIndex < 0) select.value = "person";
    const who = make("input", { type: "text", id: `name-${side}`, maxlength: 40, autocomplete: "off", placeholder: "You", value: find(`name-${side}`)?.value ?? "" });
    const named = make("div", { class: "field" }, make("label", { for: `name-${side}` }, "Name"), who);
    const reveal = () => {
      named.hidden = select.value !== "person";
    };
    select.addEventListener("change", () => {
      reveal();
      showLimits();
    });
    reveal();
    return make("div", {}, field(`seat-${side}`, `${capital(name)}${side ? "" : ", who acts first"}`, select), named);
  });
  find("sides").replaceChildren(...parts);
  showLimits();
}

function showLimits() {
  find("limits").hidden = [0, 1].every((side) => find(`seat-${side}`).value === "person");
}

async function chosenOptions() {
  const chosen = {};
  for (const control of document.querySelectorAll("[data-option]")) {
    if (control.type === "file") {
      if (control.files.length) chosen[control.dataset.option] = await control.files[0].text();
    } else chosen[control.dataset.option] = control.tagName === "SELECT" ? JSON.parse(control.value) : control.value;
  }
  return chosen;
}

function seat(side) {
  const chosen = find(`seat-${side}`).value;
  const both = find("seat-0").value === "person" && find("seat-1").value === "person";
  const usual = both ? capital(game().sides[side]) : "You";
  return chosen === "person" ? { kind: "person", name: find(`name-${side}`).value.trim() || usual } : { kind: "agent", agent: chosen };
}

async function begin(event) {
  event.preventDefault();
  showErrors({});
  const asked = {
    game: game().id,
    options: over ? {} : await chosenOptions(),
    seats: [seat(0), seat(1)],
    limits: { cpu_s: find("limit-cpu_s").value, memory_mb: find("limit-memory_mb").value },
    over: over && { source: over.source, turn: over.turn },
  };
  const button = find("order").querySelector("[type=submit]");
  button.disabled = true;
  try {
    location.href = `/table/${(await post("/api/tables", asked)).id}`;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    showErrors(Object.keys(error.errors).length ? error.errors : { "": error.message });
  } finally {
    button.disabled = false;
  }
}

/** Each error at its field; the first one is gone to. */
function showErrors(errors) {
  for (const each of document.querySelectorAll(".mistake")) {
    const name = each.id.slice("error-".length);
    const words = errors[name];
    each.hidden = !words;
    each.textContent = words ? capital(words) : "";
    if (words) find(name)?.setAttribute("aria-invalid", "true");
    else find(name)?.removeAttribute("aria-invalid");
    if (words && name) each.closest("details")?.setAttribute("open", "");
  }
  const first = document.querySelector(".mistake:not([hidden])");
  const control = first && find(first.id.slice("error-".length));
  if (control) control.focus();
  else first?.scrollIntoView({ block: "center" });
}
