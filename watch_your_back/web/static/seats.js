// Who sits at the sides of a match, and what each has used.

import { clock } from "./wording.js";

/** What is shown of the player of a side; its time is put in by `timeOf`. */
export function seat(side, head, now) {
  const { pieces, tier } = now.players[side];
  const kind = head.people[side] ? "person" : tier && tier !== "full" ? `agent, confined at the tier ${tier}` : "agent";
  const dark = side === head.board.dark;
  return make(
    "div",
    { class: now.acts === side && !now.end ? "seat acts" : "seat" },
    make("p", { class: "who" }, make("span", { class: dark ? "disc second" : "disc", "aria-hidden": "true" }), make("b", { title: head.names[side] }, head.names[side])),
    make("p", { class: "quiet" }, `${head.sides[side]}, ${kind}`),
    make("p", { class: "time", id: `time-${side}` }),
    make("p", { class: "quiet" }, pieces ? count(pieces, "piece") : ""),
  );
}

/** The time of a player in words, who has been acting for `running` seconds. */
export function timeOf({ cpu_s, wall_s, memory_mb }, limit, running) {
  if (wall_s !== null) return clock(wall_s + running);
  const together = (words) => words.replace(" ", "\u00a0"); // a number and its unit
  const of = limit === null ? "" : ` of ${together(seconds(limit))}`;
  const words = `${together(seconds(cpu_s))}${of} CPU · ${together(megabytes(memory_mb))}`;
  return running >= 1 ? `${words} · thinking ${clock(running)}` : words;
}
