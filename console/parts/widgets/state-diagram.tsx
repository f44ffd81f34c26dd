/** States in a row, with the ways between them as arcs: above for those that lead on, below for those that lead back. */
import type { JSX } from "preact";

type State = {
  readonly name: string;
  readonly note?: string | undefined;
  readonly isInitial?: boolean | undefined;
};
type Move = { readonly from: string; readonly to: string; readonly text: string };

const STEP = 190;
const BOX = 120;
const BOX_HEIGHT = 44;
const RISE = 34;

const placeOf = (at: number): number => at * STEP + STEP / 2;

function Arc({
  from,
  to,
  text,
}: {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}): JSX.Element {
  const isBack = to <= from;
  const height = RISE + 14 * Math.abs(to - from);
  const start = placeOf(from) + (from === to ? -18 : 0);
  const end = placeOf(to) + (from === to ? 18 : 0);
  const edge = isBack ? BOX_HEIGHT / 2 : -BOX_HEIGHT / 2;
  const peak = isBack ? edge + height : edge - height;
  const middle = (start + end) / 2;
  const tip = isBack ? 5 : -5;
  return (
    <g>
      <path class="edge" d={`M${start} ${edge}C${start} ${peak} ${end} ${peak} ${end} ${edge}`} />
      <path class="head" d={`M${end} ${edge}l-4 ${tip * 1.6}h8z`} />
      <text class="label" x={middle} y={(edge + 3 * peak) / 4 + (isBack ? 12 : -4)} text-anchor="middle">
        {text}
      </text>
    </g>
  );
}

export function StateDiagram({
  title,
  states,
  moves,
}: {
  readonly title: string;
  readonly states: readonly State[];
  readonly moves: readonly Move[];
}): JSX.Element {
  const at = new Map(states.map(({ name }, index) => [name, index]));
  const known = moves.flatMap(({ from, to, text }) => {
    const start = at.get(from);
    const end = at.get(to);
    return start === undefined || end === undefined ? [] : [{ from: start, to: end, text }];
  });
  const reach = Math.max(0, ...known.map(({ from, to }) => Math.abs(to - from)));
  const half = BOX_HEIGHT / 2 + RISE + 14 * reach + 16;
  const width = Math.max(1, states.length) * STEP;
  const said = moves.map(({ from, to, text }) => `${from} to ${to}: ${text}`).join("; ");
  return (
    <svg
      class="states"
      viewBox={`0 ${-half} ${width} ${2 * half}`}
      width={width}
      role="img"
      aria-label={`${title}. ${said}`}
    >
      {known.map((move, index) => (
        <Arc key={index} {...move} />
      ))}
      {states.map(({ name, note, isInitial }, index) => (
        <g key={name}>
          <rect
            class={isInitial ? "node lit" : "node"}
            x={placeOf(index) - BOX / 2}
            y={-BOX_HEIGHT / 2}
            width={BOX}
            height={BOX_HEIGHT}
            rx="9"
          />
          <text x={placeOf(index)} y={note ? -2 : 4} text-anchor="middle">
            {name}
          </text>
          {note && (
            <text class="label" x={placeOf(index)} y="14" text-anchor="middle">
              {note}
            </text>
          )}
        </g>
      ))}
    </svg>
  );
}
