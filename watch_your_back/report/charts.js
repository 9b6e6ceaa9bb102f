// What each turn cost, and how the match stood, above each other over the same turns.

const LEAST_KB = 52; // what would be told as 0.0 MB is not drawn
const HALF = 50; // the charts are 100 high; the time of the second side is below the middle

function drawCharts() {
  const turns = Math.max(steps.length - 1, 1);
  drawChart("timeline", turns, timeBars(turns), game.cpu.length, timeWords());
  drawChart("memory", turns, memoryLines(), Math.max(...[0, 1].map(mostMemory)) >= LEAST_KB, memoryWords());
  drawChart("standing", turns, standingMarks(turns), game.judged.some(Boolean), [`How the match stood: above, ${data.sides[0]} is ahead.`]);
  find("printed-at").hidden = !game.outputs.length;
}

/** A chart and what it shows in words; hidden where it shows nothing. */
function drawChart(id, turns, marks, wanted, words) {
  const svg = find(id);
  svg.setAttribute("viewBox", `-0.5 ${-HALF} ${turns + 1} ${2 * HALF}`);
  svg.replaceChildren(...marks, draw("line", { class: "here", x1: here, x2: here, y1: -HALF, y2: HALF }));
  find(`${id}-words`).replaceChildren(...(wanted ? words : []));
  find(`${id}-figure`).hidden = !wanted;
}

const middle = (turns) => draw("line", { class: "middle", x1: -0.5, x2: turns + 0.5, y1: 0, y2: 0 });
const barWidth = (turns) => Math.max(1, Math.min(6, 400 / turns));

const longest = (side) => Math.max(0, ...game.cpu.filter((_, index) => game.sides[index] === side));
const mostMemory = (side) => Math.max(0, ...game.memory.filter((_, index) => game.sides[index] === side));

function timeBars(turns) {
  const tallest = [longest(0) || 1, longest(1) || 1]; // people use no CPU time
  const bars = ["", ""];
  game.cpu.forEach((cpu, index) => {
    const side = game.sides[index];
    const height = Math.max(((HALF - 4) * cpu) / tallest[side], 0.8) * (side ? 1 : -1);
    bars[side] += `M${index + 1} 0V${height.toFixed(1)}`;
  });
  const paths = bars.map((d, side) => draw("path", { class: `time${side}`, d, "stroke-width": barWidth(turns) }));
  const spoken = new Set(game.outputs.map((output) => positionOf(output[0])));
  const dots = [...spoken].map((at) => draw("rect", { class: "spoke", x: at - 0.3, y: -HALF, width: 0.6, height: 5 }));
  return [middle(turns), ...paths, ...dots];
}

function timeWords() {
  const [up, down] = data.sides.map((name, side) => `${name} (up to ${seconds(longest(side) / 1e6)})`);
  return [`CPU time of each turn: above ${up}, below ${down}.`];
}

/** The peak so far of each side, as steps. */
function memoryLines() {
  const most = Math.max(mostMemory(0), mostMemory(1), 1);
  const paths = ["", ""];
  game.memory.forEach((kb, index) => {
    const side = game.sides[index];
    const y = (HALF - 4 - ((2 * HALF - 8) * kb) / most).toFixed(1);
    paths[side] += paths[side] ? `H${index + 1}V${y}` : `M${index + 1} ${y}`;
  });
  return paths.map((d, side) => draw("path", { class: `memory${side}`, d: d && `${d}H${game.memory.length + 0.5}` }));
}

function memoryWords() {
  const sample = (side) => {
    const line = draw("line", { class: `memory${side}`, x1: 0, x2: 24, y1: 5, y2: 5 });
    return draw("svg", { class: "sample", viewBox: "0 0 24 10", "aria-hidden": "true" }, line);
  };
  const parts = data.sides.flatMap((name, side) => [sample(side), ` ${name} (up to ${megabytes(mostMemory(side) / 1024)}) `]);
  return ["Peak memory so far: ", ...parts];
}

/** What was to be expected after each turn, from the first side's point of view, with its errors marked. */
function standingMarks(turns) {
  const y = (value) => (-(HALF - 4) * value).toFixed(1);
  let d = "";
  const marks = [];
  game.judged.forEach((judged, index) => {
    if (!judged || judged.value === null) return;
    d += `${d ? "L" : "M"}${index + 1} ${y(judged.value)}`;
    if (judged.grade) {
      marks.push(draw("line", { class: `error time${game.sides[index]}`, x1: index + 1, x2: index + 1, y1: -HALF, y2: HALF }));
    }
  });
  return [middle(turns), ...marks, draw("path", { class: "standing", d })];
}
