// A match on the page: what happens in it, and what a person does.

import { Targets } from "./targets.js";
import { Refused, listen, post } from "./requests.js";
import { seat, timeOf } from "./seats.js";
import { ending, occupants, turnOf, whyFault, within } from "./wording.js";

const { id, events, own, of } = JSON.parse(find("data").textContent);
const address = `/api/tables/${id}`;
let head = null; // what stays the same in this match
let now = null; // what there is to see
let moves = []; // the actions so far, as [side, action]
let arrived = 0; // when that was told
let touched = []; // the cells that the person has touched for the next action
let steps = []; // the steps of the turn that the person has chosen, in games whose turns have steps
let offered = null; // what the person can do
let sent = false; // whether an action is on its way
let asking = ""; // what else the server is asked for at the moment
let targets = null;
let gone = false; // whether the server cannot be heard
let missing = false; // whether it has no such match any more

const losing = (lost, forGood) => {
  [gone, missing] = [lost, forGood];
  if (now) show();
  if (missing) say("problem", "The server has this match no more: it was started again, or no page showed the match for a while.");
  else if (!lost) say("problem", "");
  else if (now && !now.end && !now.closed) say("problem", "The server cannot be reached any more.");
};
listen(events, hear, losing, own); // the server ends a match that no page shows
setInterval(showClocks, 250);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && (touched.length || steps.length)) forget();
});
find("typing").addEventListener("submit", (event) => {
  event.preventDefault();
  if (find("typed").value.trim()) act({ typed: find("typed").value });
});

function hear(told) {
  const before = now && [head.taken_back, now.turn, now.acts].join();
  if (told.head) begin(told.head);
  if (!told.position) return;
  moves = [...moves.slice(0, told.from), ...told.moves];
  [now, arrived] = [told.position, performance.now()];
  const other = before !== [head.taken_back, now.turn, now.acts].join(); // if not, what was chosen for this turn stays
  if (other) {
    [offered, touched, steps, sent] = [now.choices, [], [], false];
    find("typed").value = "";
  }
  say("problem", now.refused ? `The match cannot go on: ${now.refused}` : "");
  find("notes").replaceChildren(...now.notes.map((note) => make("li", {}, note)));
  find("diagram").textContent = [now.text].join("\n");
  targets.leave();
  drawBoard(find("board"), head.board, now.contents, now.last, now.gone);
  showSeats();
  showFailures();
  show();
  if (other) bringIntoView();
  showMoves(told.from);
}

/** Boards that are wider than the window: what happened is in the middle, or what can be done. */
function bringIntoView() {
  const frame = find("frame");
  if (frame.scrollWidth <= frame.clientWidth + 1) return;
  const cells = [...frame.querySelectorAll(".target")];
  const marked = (frame.querySelector(".last") ?? cells[cells.length >> 1])?.getBoundingClientRect();
  const all = frame.getBoundingClientRect();
  if (marked) frame.scrollLeft += marked.x + marked.width / 2 - all.x - all.width / 2;
}

function begin(told) {
  head = told;
  const title = head.names.join(" v ");
  document.title = `${title} · Watch Your Back!`;
  find("title").textContent = title;
  const options = Object.entries(head.game.options).map(([name, value]) => `${name} ${String(value).slice(0, 40)}`);
  find("game").textContent = [head.game.title, ...options].join(", ");
  find("frame").style.setProperty("--units", head.board.box[2]);
  const facts = [
    ["Game", find("game").textContent],
    ["Seed", head.seed],
    ["CPU time", head.limits.cpu_s === null ? "no limit" : seconds(head.limits.cpu_s)],
    ["Memory", head.limits.memory_mb === null ? "no limit" : megabytes(head.limits.memory_mb)],
  ];
  find("about").replaceChildren(...facts.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
  targets ??= new Targets(find("board"), head.board, { touch, name: nameOf });
}

const nameOf = (cell) => [actionText(head.board.ids[cell]), ...occupants(now.contents[cell], head.sides)].join(", ");
const acting = () => own && !missing && !sent && !asking && !now.closed && !now.refused && !now.end && offered !== null;

/** What a touch can change, which the board itself is no part of. */
function show() {
  showTargets();
  showStatus();
  showChoices();
  showButtons();
}

function showTargets() {
  find("board").classList.toggle("choosing", touched.length > 0);
  targets.show(now.contents, acting() ? nextCells() : [], touched, acting());
}

/** The actions that begin with the cells that were touched. */
const begun = () => offered.actions.filter(([cells]) => touched.every((cell, index) => cells[index] === cell) && cells.length);
const whole = () => begun().filter(([cells]) => cells.length === touched.length);
const nextCells = () => begun().map(([cells]) => cells[touched.length]).filter((cell) => cell !== undefined);

function touch(cell) {
  say("problem", "");
  if (touched.at(-1) === cell && !nextCells().includes(cell)) return forget();
  if (!nextCells().includes(cell)) {
    const fresh = offered.actions.some(([cells]) => cells[0] === cell);
    if (touched.length && fresh) touched = [];
    else return explain([...touched, cell]);
  }
  touched = [...touched, cell];
  const ready = whole();
  if (ready.length === 1 && begun().length === 1) return take(ready[0][1]);
  show();
  if (ready.length && !nextCells().length) find("choices").querySelector("button")?.focus();
}

function forget() {
  if (!touched.length && steps.length) {
    steps = [];
    offered = now.choices;
  }
  touched = [];
  say("problem", "");
  show();
}

async function explain(cells) {
  const then = now;
  touched = [];
  show();
  try {
    const { explanation } = await post(`${address}/explain`, { cells });
    if (now === then) say("problem", explanation);
  } catch (error) {
    complain(error);
  }
}

/** Take an action, or another step of a turn that has steps. */
async function take(action) {
  if (offered.steps === null) return act({ action });
  const then = now;
  try {
    const next = await post(`${address}/steps`, { steps: [...steps, action] });
    if (now !== then) return;
    steps = next.steps;
    if (!next.actions.length) return act({ action: steps });
    [offered, touched] = [next, []];
    show();
  } catch (error) {
    complain(error);
  }
}

async function act(asked) {
  if (sent) return;
  sent = true;
  show();
  try {
    await post(`${address}/act`, { turn: now.turn, ...asked });
  } catch (error) {
    [touched, sent] = [[], false];
    if (now.acts !== null) show();
    complain(error);
  }
}

/** What the server answers, once: who clicks twice means it once. */
async function ask(what, asked = {}) {
  if (asking) return null;
  asking = what;
  say("problem", "");
  show();
  try {
    return await post(`${address}/${what}`, asked);
  } catch (error) {
    complain(error);
    return null;
  } finally {
    asking = "";
    show();
  }
}

function complain(error) {
  if (!(error instanceof Refused)) throw error;
  say("problem", capital(error.message));
}

function say(where, words) {
  find(where).textContent = words;
  find(where).hidden = !words;
}

function showStatus() {
  let words = "The players are being started …";
  if (now.end) words = ending(now.end, head.sides, head.names);
  else if (now.closed) words = "The match was stopped.";
  else if (now.refused || missing) words = "The match has ended.";
  else if (asking === "back") words = "The turn is being taken back …";
  else if (now.acts !== null) words = turnOf(now.acts, head);
  find("status").textContent = words;
  let hint = "";
  if (acting() && offered.actions.length) {
    if (touched.length) hint = "Go on with a marked cell, or take another one. Esc takes the choice back.";
    else if (begun().length) hint = "Choose a marked cell: click on it, or go there with the arrow keys and press Enter.";
  }
  find("hint").textContent = hint;
}

function showSeats() {
  find("seats").replaceChildren(...[0, 1].map((side) => seat(side, head, now)));
  showClocks();
}

function showClocks() {
  if (!now || !find("time-0")) return;
  const running = now.acts !== null && !now.end && !now.closed && !gone ? (performance.now() - arrived) / 1000 : 0;
  for (const side of [0, 1]) {
    find(`time-${side}`).textContent = timeOf(now.players[side], head.limits.cpu_s, now.acts === side ? running : 0);
  }
}

const FEW = 3; // so many actions without a cell are buttons like the others
const bareActions = () => offered.actions.filter(([cells]) => !cells.length);

/** What is chosen from a list: actions with the same cells, and those that name no cell. */
function showChoices() {
  const list = find("choices");
  list.hidden = true;
  if (!acting()) return list.replaceChildren();
  const parts = [];
  const button = ([, action, words]) => {
    const made = make("button", { type: "button" }, words === "pass" ? "Pass" : words);
    made.addEventListener("click", () => take(action));
    return made;
  };
  if (steps.length) parts.push(make("p", {}, "This turn so far: ", make("b", {}, steps.map(actionText).join("; "))));
  const ready = touched.length ? whole() : [];
  if (ready.length) parts.push(make("p", { id: "choose" }, "Which of these?"), make("div", { role: "group", "aria-labelledby": "choose" }, ...ready.map(button)));
  const bare = bareActions();
  if (bare.length > FEW && !touched.length) parts.push(make("div", { role: "group", "aria-label": "Without a cell" }, ...bare.slice(0, 300).map(button)));
  if (steps.length) {
    const end = make("button", { type: "button", class: "main" }, "End the turn");
    end.addEventListener("click", () => act({ action: steps }));
    const anew = make("button", { type: "button" }, "Begin the turn again");
    anew.addEventListener("click", () => {
      touched = [];
      forget();
    });
    parts.push(make("div", { role: "group", "aria-label": "This turn" }, offered.ends && end, anew));
  }
  list.replaceChildren(...parts);
  list.hidden = !parts.length;
}

function showButtons() {
  const focused = document.activeElement?.dataset?.does;
  const parts = [];
  const button = (does, words, press, kind = "") => {
    const made = make("button", { type: "button", "data-does": does, class: kind }, words);
    made.addEventListener("click", press);
    parts.push(made);
  };
  const over = now.end || now.closed || now.refused;
  if (own && missing) parts.push(make("a", { href: "/play" }, "Play another match"));
  else if (own) {
    if (over) button("again", "Play again", again, "main");
    if (now.back !== null) button("back", "Take back", () => ask("back", { to: now.back }));
    if (acting() && bareActions().length <= FEW) {
      const only = offered.actions.length === bareActions().length;
      bareActions().forEach(([, action, words], index) => button(`bare-${index}`, words === "pass" ? "Pass" : words, () => take(action), only ? "main" : ""));
    }
    if (acting()) button("resign", "Resign", () => confirmed("Resign this match?") && ask("resign", { turn: now.turn }));
    if (!over) button("stop", "Stop the match", () => confirmed("Stop this match? It then counts for nobody.") && ask("close"));
  }
  find("buttons").replaceChildren(...parts);
  if (focused) find("buttons").querySelector(`[data-does="${focused}"]`)?.focus();
  if (now.end && !missing) {
    const source = new URLSearchParams(own ? { table: id } : { of });
    parts.push(make("a", { href: `/replay?${source}` }, "Replay"), make("a", { href: `/api/record?${source}`, download: "match.jsonl" }, "Save the record"));
    find("buttons").replaceChildren(...parts);
  }
  find("typing").hidden = !acting();
  if (acting() && !find("forms").firstElementChild) { // they stay the same, and open where they were opened
    const examples = offered.forms.map(([example, meaning]) => make("li", {}, make("code", {}, example), ` ${meaning}`));
    find("forms").replaceChildren(make("details", {}, make("summary", {}, "How actions are typed"), make("ul", {}, ...examples)));
  }
}

const confirmed = (question) => window.confirm(question);

async function again() {
  const made = await ask("again");
  if (made) location.href = `/table/${made.id}`;
}

function showFailures() {
  const parts = now.failures.flatMap(([ply, side, call, reason, detail, traceback]) => [
    make("p", {}, make("b", {}, `${head.names[side]} (${head.sides[side]}): ${reason}`), `${within(call, reason)}${ply < 0 ? ", before the first turn" : `, turn ${ply + 1}`}. ${whyFault(reason)}`),
    make("p", {}, capital(detail)),
    traceback && make("pre", { tabindex: 0 }, traceback),
  ]);
  find("failures").replaceChildren(...parts.filter(Boolean));
  const printed = now.outputs.map(([ply, side, stream, text]) => `${head.sides[side]}, ${ply < 0 ? "at the start" : `turn ${ply + 1}`}, ${stream}:\n${text}`);
  find("output").textContent = printed.join("\n");
  find("printed").hidden = !printed.length;
}

/** The actions, of which the first ones are shown already: a long list is not laid out anew for every action. */
function showMoves(shown) {
  const list = find("moves");
  while (list.children.length > shown) list.lastElementChild.remove();
  const rows = moves.slice(shown).map(([side, action]) => {
    const words = actionText(action);
    const disc = make("span", { class: side === head.board.dark ? "disc second" : "disc", role: "img", "aria-label": head.sides[side] });
    return make("li", { class: words.length > 20 && "long" }, disc, ` ${words}`);
  });
  list.append(...rows);
  find("moves-frame").hidden = !moves.length;
  find("moves-title").hidden = !moves.length;
  if (rows.length) find("moves-frame").scrollTop = find("moves-frame").scrollHeight;
}
