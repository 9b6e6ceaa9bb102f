// A list of matches: searched by the server, shown a page at a time, and told again when there are more.

import { Refused, get } from "./requests.js";

const query = (asked) => new URLSearchParams(Object.entries(asked).flatMap(([name, value]) => [value].flat().filter((each) => each !== null && each !== "").map((each) => [name, each])));

/** Where a match is looked at. */
export function addressOf({ of, match, live, table }) {
  if (table) return `/table/${table}`;
  return live ? `/watch?${query({ of })}` : `/replay?${query({ of, match })}`;
}

export class MatchList {
  /** A table, the form to search it, a line that says how many there are, and a button for more; `asked` adds to what is asked for. */
  constructor({ table, form, words, found, more, asked }) {
    Object.assign(this, { table, form, words, found, more, asked });
    this.shown = [];
    this.asking = 0;
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", () => this.load());
    form.addEventListener("reset", () => setTimeout(() => this.load()));
    more.addEventListener("click", () => this.load(true));
  }

  /** Ask again, or for those after the ones that are shown. */
  async load(more = false) {
    const asking = ++this.asking;
    const asked = { ...this.asked(), words: this.words.value, skip: more ? this.shown.length : 0 };
    let told;
    try {
      told = await get(`/api/matches?${query(asked)}`);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.found.textContent = capital(error.message);
      return;
    }
    if (asking !== this.asking) return; // something else has been asked for since
    const first = more ? this.shown.length : 0;
    this.shown = more ? [...this.shown, ...told.matches] : told.matches;
    const focused = this.table.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
    this.table.tBodies[0].replaceChildren(...this.shown.map(matchRow));
    if (focused) this.table.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus();
    if (more) this.table.tBodies[0].rows[first]?.querySelector("a")?.focus();
    this.table.hidden = !this.shown.length;
    this.more.hidden = this.shown.length >= told.total;
    this.found.textContent = told.total ? count(told.total, "match", "matches") : this.words.value || this.asked().agent?.length ? "No match has all of this." : "There is none yet.";
  }
}

/** A row of a list of matches. */
export function matchRow(match) {
  const { of, sides, names, winner, reason, turns, changed, failed, live, number = match.match } = match;
  const does = live || match.table ? "Watch" : "Replay";
  const what = number ? String(number) : of ? of.replace(/\.jsonl(\.gz)?$/, "") : match.game;
  const link = make("a", { href: addressOf(match), "aria-label": `${does} ${number ? `match ${number}` : what}` }, `${live || match.table ? "●" : "▶"} ${what}`);
  const players = names.map((name, side) => make("span", { class: winner === side && "won", title: `${name} (${sides[side]})` }, `${name}${winner === side ? " ✓" : ""}`));
  return make(
    "tr",
    { class: match.void && "excluded" },
    make("th", { scope: "row" }, link),
    make("td", {}, ...players),
    make("td", {}, live || match.table ? "going on" : match.void ? `${reason} (counts for nobody)` : reason, failed && make("span", { class: "quiet" }, "a player failed")),
    make("td", { class: "number roomy" }, String(turns)),
    make("td", { class: "roomy" }, changed ? when(changed) : ""),
  );
}

function when(seconds) {
  const moment = new Date(seconds * 1000);
  const today = new Date().toDateString() === moment.toDateString();
  return today ? moment.toLocaleTimeString("en-GB") : moment.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
}
