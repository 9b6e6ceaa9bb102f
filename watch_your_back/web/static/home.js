// Everything that there is to look at: matches that go on, tournaments, records. It changes as they do.

import { MatchList, matchRow } from "./lists.js";
import { listen } from "./requests.js";

const list = new MatchList({ table: find("records"), form: find("search"), words: find("words"), found: find("found"), more: find("more"), asked: () => ({}) });
find("place").textContent = JSON.parse(find("data").textContent).place;
listen("/api/home/events", hear, (lost) => {
  document.body.classList.toggle("lost", lost);
});

function hear({ live, stores, records }) {
  find("now").tBodies[0].replaceChildren(...live.map(matchRow));
  find("now-frame").hidden = !live.length;
  find("none-now").hidden = live.length > 0;
  find("stores").tBodies[0].replaceChildren(...stores.map(storeRow));
  find("stores-section").hidden = !stores.length;
  find("records-section").hidden = !records;
  if (records) list.load();
}

function storeRow({ of, game, agents, matches, error }) {
  const name = of.replace(/\.(db|sqlite3?)$/, "");
  if (error) return make("tr", {}, make("th", { scope: "row" }, name), make("td", { colspan: 3 }, error));
  return make(
    "tr",
    {},
    make("th", { scope: "row" }, make("a", { href: `/tournament?${new URLSearchParams({ of })}` }, name)),
    make("td", {}, game || "not begun"),
    make("td", { class: "number" }, agents.toLocaleString("en")),
    make("td", { class: "number" }, matches.toLocaleString("en")),
  );
}
