// What is said of a match in words: who acts, how it ended and why, how much time was used.

const FAULTS = {
  "illegal action": "It answered with an action that the rules do not allow, and who does that loses.",
  exception: "Its code raised an exception, and who fails loses.",
  "time limit": "It used up its CPU time, and who does that loses.",
  "wall-clock guard": "It waited or slept far longer than its CPU time allows, and who does that loses.",
  "memory limit": "It used more memory than it may, and who does that loses.",
  "player exited": "Its process ended by itself, and who leaves loses.",
  protocol: "It wrote on the channel that is the referee's, and who does that loses.",
  "could not start": "It could not be started, so the match is lost before its first turn.",
};

export const within = (call, reason) => (reason === "illegal action" ? "" : ` in ${call}`);

export const whyFault = (reason) => FAULTS[reason] ?? "";

/** How a match ended: "White (greedy) won: eliminated." */
export function ending([winner, reason], sides, names) {
  if (reason === "interrupted") return "The match was stopped. It counts for nobody.";
  const who = winner === null ? "Nobody won" : `${capital(sides[winner])} (${names[winner]}) won`;
  return `${who}: ${reason}.`;
}

/** Whose turn it is, as those see it who act here. */
export function turnOf(acts, head) {
  const { sides, names, people } = head;
  if (!people[acts]) return `${names[acts]} (${sides[acts]}) is thinking …`;
  return people[0] && people[1] ? `${capital(sides[acts])} (${names[acts]}) to act.` : `Your turn: you are ${sides[acts]}.`;
}

/** Elapsed time as a clock shows it. */
export function clock(total) {
  const whole = Math.floor(total);
  const two = (value) => String(value).padStart(2, "0");
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** What stands on a cell, for those who do not see it. */
export function occupants([stacks], sides) {
  return stacks.map(([side, kind, words, height]) => {
    const what = [side === null ? "" : sides[side], words && !/^\d+$/.test(words) ? words : "", kind].filter(Boolean).join(" ");
    return height > 1 ? `${height} × ${what}` : what;
  });
}
