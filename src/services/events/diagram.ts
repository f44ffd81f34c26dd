/**
 * Draws a model's states as a diagram: columns by distance from the initial state, arrows for transitions.
 */
import { html, type Markup } from "#kernel/html";

export type DrawnState = {
  readonly name: string;
  /** Number of instances in the state; empty for none. */
  readonly count: string;
  readonly next: readonly { readonly label: string; readonly to: string }[];
};

const BOX = { width: 150, height: 46 };
const GAP = { x: 120, y: 64 };
const MARGIN = 46;
const LABEL_LENGTH_MAX = 26;

type Box = { readonly x: number; readonly y: number };
/** Characters that XML does not allow. */
const UNDRAWN = /\p{Cc}|\p{Surrogate}/gu;
const short = (text: string): string =>
  (text.length > LABEL_LENGTH_MAX ? `${text.slice(0, LABEL_LENGTH_MAX - 1)}…` : text).replace(UNDRAWN, "�");

/** Distance from the initial state. Unreachable states come last. */
function depthsOf(states: readonly DrawnState[], initial: string): Map<string, number> {
  const byName = new Map(states.map((state) => [state.name, state]));
  const depths = new Map([[initial, 0]]);
  for (const [name, depth] of depths)
    for (const { to } of byName.get(name)?.next ?? []) if (!depths.has(to)) depths.set(to, depth + 1);
  const last = Math.max(...depths.values());
  for (const { name } of states) if (!depths.has(name)) depths.set(name, last + 1);
  return depths;
}

function placesOf(states: readonly DrawnState[], initial: string): Map<string, Box> {
  const depths = depthsOf(states, initial);
  const heights = new Map<number, number>();
  const places = new Map<string, Box>();
  for (const { name } of states) {
    const column = depths.get(name) ?? 0;
    const row = heights.get(column) ?? 0;
    heights.set(column, row + 1);
    places.set(name, {
      x: MARGIN + column * (BOX.width + GAP.x),
      y: MARGIN + row * (BOX.height + GAP.y),
    });
  }
  return places;
}

const node = ({ x, y }: Box, { name, count }: DrawnState): Markup => html`<g>
<rect class="${count === "" ? "node" : "lit"}" x="${x}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="10"/>
<text x="${x + BOX.width / 2}" y="${y + (count === "" ? 28 : 20)}" text-anchor="middle">${short(name)}</text>
${count !== "" && html`<text class="label" x="${x + BOX.width / 2}" y="${y + 37}" text-anchor="middle">${count}</text>`}
</g>`;

type Edge = { readonly line: Markup; readonly label: Markup };
/** Forward arrows leave at the right, backward arrows below, self-transitions above. */
function edge(from: Box, to: Box, label: string): Edge {
  const edgeOf = (path: string, x: number, y: number): Edge => ({
    line: html`<path class="edge" d="${path}" marker-end="url(#head)"/>`,
    label: html`<text class="label on-line" x="${x}" y="${y}" text-anchor="middle">${short(label)}</text>`,
  });
  if (from === to) {
    const x = from.x + BOX.width / 2;
    const path = `M${x - 24} ${from.y} C${x - 30} ${from.y - 34} ${x + 30} ${from.y - 34} ${x + 24} ${from.y}`;
    return edgeOf(path, x, from.y - 29);
  }
  if (to.x > from.x) {
    const [x1, y1, x2, y2] = [from.x + BOX.width, from.y + 18, to.x, to.y + 18];
    const middle = (x1 + x2) / 2;
    const path = `M${x1} ${y1} C${middle} ${y1} ${middle} ${y2} ${x2 - 2} ${y2}`;
    return edgeOf(path, middle, (y1 + y2) / 2 - 6);
  }
  const [x1, y1, x2, y2] = [from.x + 40, from.y + BOX.height, to.x + BOX.width - 40, to.y + BOX.height];
  const lower = Math.max(y1, y2);
  const low = lower + 44;
  const path = `M${x1} ${y1} C${x1} ${low} ${x2} ${low} ${x2} ${y2 + 2}`;
  // On the middle of the line, but below the boxes.
  return edgeOf(path, (x1 + x2) / 2, Math.max((y1 + y2 + 6 * low) / 8 - 3, lower + 14));
}

/** A complete SVG document. */
export function drawStates(states: readonly DrawnState[], initial: string): string {
  const places = placesOf(states, initial);
  const boxes = [...places.values()];
  const width = Math.max(...boxes.map(({ x }) => x)) + BOX.width + MARGIN;
  const height = Math.max(...boxes.map(({ y }) => y)) + BOX.height + MARGIN + 12;
  const edges = states.flatMap(({ name, next }) =>
    next.flatMap(({ to, label }) => {
      const [start, end] = [places.get(name), places.get(to)];
      return start && end ? [edge(start, end, label)] : [];
    }),
  );
  const first = places.get(initial);
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path class="head" d="M0 0L8 4L0 8z"/></marker></defs>
${first && html`<circle class="head" cx="${first.x - 26}" cy="${first.y + 18}" r="5"/><path class="edge" d="M${first.x - 20} ${first.y + 18}H${first.x - 2}" marker-end="url(#head)"/>`}
${edges.map(({ line }) => line)}
${states.map((state) => node(places.get(state.name) as Box, state))}
${edges.map(({ label }) => label)}
</svg>`.toString();
}
