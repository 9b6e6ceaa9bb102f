// A tournament as it runs: ratings, crosstable, failures and matches, which are told again whenever a match has ended.

import { explorable } from "./crosstable.js";
import { MatchList } from "./lists.js";
import { listen } from "./requests.js";

const { of } = JSON.parse(find("data").textContent);
const PARTS = { ratings: "ratings", crosstable: "crosstable", sides: "sides", failures: "failures-part" };
let agents = [];
const chosen = () => [find("agent").value, find("other").value].filter(Boolean);
const list = new MatchList({ table: find("list"), form: find("search"), words: find("words"), found: find("found"), more: find("more"), asked: () => ({ of, agent: chosen() }) });

document.body.classList.add("waiting"); // empty headings say nothing
listen(`/api/tournament/events?${new URLSearchParams({ of })}`, hear, (lost) => {
  document.body.classList.toggle("lost", lost);
});
addEventListener("hashchange", follow);

function hear(told) {
  document.body.classList.toggle("waiting", !told.agents && !agents.length);
  if (told.error || told.waiting) {
    find("lead").textContent = told.error ? capital(told.error) : "The tournament has not begun.";
    return;
  }
  const first = !agents.length;
  const { playing, played, planned } = told;
  const left = planned - played;
  find("lead").textContent = `${count(playing, "agent")}, ${count(played, "match", "matches")} played${left > 0 ? `, ${left.toLocaleString("en")} to go` : "; all of them"}.`;
  find("done").max = Math.max(planned, played, 1);
  find("done").value = played;
  find("progress").hidden = left <= 0;
  find("warnings").replaceChildren(...told.notes.map((note) => make("li", {}, note)));
  find("warnings").hidden = !told.notes.length;
  find("settings").replaceChildren(...told.settings.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
  for (const [name, id] of Object.entries(PARTS)) replacePart(find(id), told.parts[name]);
  if (agents.join("\n") !== told.agents.join("\n")) nameAgents(told.agents);
  if (first) follow();
  else list.load();
}

/** Put what the server has written in the place of what it wrote before, where it is another: sorted as it was, and with
 * the focus where it was. */
function replacePart(part, markup) {
  if (part.told === markup) return;
  part.told = markup;
  const sorted = [...part.querySelectorAll("table.sortable")].map((table) => {
    const heading = table.querySelector("th[aria-sort]");
    return heading && [heading.cellIndex, heading.getAttribute("aria-sort")];
  });
  const opened = [...part.querySelectorAll("details")].map((each) => each.open);
  const scrolled = [...part.querySelectorAll(".scroll")].map((each) => each.scrollLeft);
  const reachable = () => [...part.querySelectorAll("a, button, summary, td[tabindex], .scroll")];
  const focus = reachable().indexOf(document.activeElement);
  const at = document.activeElement?.dataset?.at;
  part.replaceChildren(...new DOMParser().parseFromString(markup, "text/html").body.childNodes);
  part.querySelectorAll("details").forEach((each, index) => (each.open = opened[index] ?? false));
  part.querySelectorAll("table.sortable").forEach((table, index) => {
    makeSortable(table);
    const [column, order] = sorted[index] ?? [];
    const heading = table.querySelectorAll("thead th")[column];
    while (order && heading.getAttribute("aria-sort") !== order) heading.querySelector("button").click();
  });
  for (const table of part.querySelectorAll("table.cross")) explorable(table, at);
  part.querySelectorAll(".scroll").forEach((each, index) => (each.scrollLeft = scrolled[index] ?? 0));
  const again = at ? part.querySelector(`[data-at="${at}"]`) : reachable()[focus];
  if (focus >= 0) again?.focus({ preventScroll: true });
}

function nameAgents(names) {
  agents = names;
  for (const id of ["agent", "other"]) {
    const before = find(id).value;
    find(id).replaceChildren(make("option", { value: "" }, "any"), ...names.map((name) => make("option", { value: name }, name)));
    find(id).value = names.includes(before) ? before : "";
  }
}

/** Show the matches that an address names: of an agent, or of two. */
function follow() {
  const [kind, one, two] = location.hash.slice(1).split("-");
  if (kind === "matches" && one) {
    find("search").reset();
    find("agent").value = agents[one - 1] ?? "";
    find("other").value = agents[two - 1] ?? "";
    find("matches").scrollIntoView();
    find("matches-title").focus({ preventScroll: true });
  }
  list.load();
}
