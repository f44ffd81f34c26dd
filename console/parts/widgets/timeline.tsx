/** What happened and what is due, along one axis of time: a lane for each thing, and the same as a list. */
import type { JSX } from "preact";
import { momentText } from "../../texts.ts";
import { State, toneOf } from "../cells.tsx";

export type TimelineEvent = {
  readonly at: string;
  readonly text: string;
  readonly state?: string | undefined;
};

const LANES_MAX = 12;
const WIDTH = 960;
const NAMES = 230;
const LANE = 24;
const TOP = 8;
const FOOT = 22;
const SIZE = 5;
const NAME_LENGTH_MAX = 32;

const shortened = (name: string): string =>
  name.length > NAME_LENGTH_MAX ? `…${name.slice(1 - NAME_LENGTH_MAX)}` : name;

/** Shapes tell states apart, not colours alone: a square has failed, a ring is still to come. */
function Mark({ x, y, event }: { readonly x: number; readonly y: number; readonly event: TimelineEvent }) {
  const tone = toneOf(event.state ?? "");
  const told = `${event.text}${event.state === undefined ? "" : `, ${event.state}`}, ${momentText(event.at)}`;
  const isDue = event.state === "due" || event.state === "waiting";
  return tone === "bad" ? (
    <rect class="event bad" x={x - SIZE} y={y - SIZE} width={2 * SIZE} height={2 * SIZE}>
      <title>{told}</title>
    </rect>
  ) : (
    <circle class={`event ${isDue ? "due" : tone}`} cx={x} cy={y} r={SIZE}>
      <title>{told}</title>
    </circle>
  );
}

export function Lanes({
  title,
  events,
}: {
  readonly title: string;
  readonly events: readonly TimelineEvent[];
}): JSX.Element {
  const times = events.map(({ at }) => Date.parse(at)).filter((ms) => !Number.isNaN(ms));
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const names = [...new Set(events.map(({ text }) => text))].slice(0, LANES_MAX);
  const height = TOP + names.length * LANE + FOOT;
  const span = Math.max(1, last - first);
  const xOf = (at: string) => NAMES + SIZE + ((Date.parse(at) - first) / span) * (WIDTH - NAMES - 2 * SIZE);
  const yOf = (text: string) => TOP + (names.indexOf(text) + 0.5) * LANE;
  return (
    <svg
      class="lanes"
      viewBox={`0 0 ${WIDTH} ${height}`}
      role="img"
      aria-label={`${title}: ${events.length} events of ${names.length} kinds, ${momentText(new Date(first).toISOString())} to ${momentText(new Date(last).toISOString())}`}
    >
      {names.map((name) => (
        <g key={name}>
          <text class="label" x="0" y={yOf(name) + 4}>
            {shortened(name)}
            <title>{name}</title>
          </text>
          <path class="lane" d={`M${NAMES} ${yOf(name)}H${WIDTH}`} />
        </g>
      ))}
      {events
        .filter(({ text, at }) => names.includes(text) && !Number.isNaN(Date.parse(at)))
        .map((event, index) => (
          <Mark key={index} x={xOf(event.at)} y={yOf(event.text)} event={event} />
        ))}
      <text class="label" x={NAMES} y={height - 6}>
        {momentText(new Date(first).toISOString())}
      </text>
      <text class="label" x={WIDTH} y={height - 6} text-anchor="end">
        {momentText(new Date(last).toISOString())}
      </text>
    </svg>
  );
}

const List = ({ events }: { readonly events: readonly TimelineEvent[] }): JSX.Element => (
  <ol class="panel lines timeline">
    {events.map(({ at, text, state }, index) => (
      <li key={index}>
        <time dateTime={at}>{momentText(at)}</time>
        <span class="grow">{text}</span>
        {state !== undefined && <State word={state} />}
      </li>
    ))}
    {events.length === 0 && <li class="muted">Nothing yet.</li>}
  </ol>
);

/** Two events are an order, which a list shows best. */
const DRAWN_FROM = 3;
export const Timeline = ({
  title,
  events,
}: {
  readonly title: string;
  readonly events: readonly TimelineEvent[];
}): JSX.Element =>
  events.length < DRAWN_FROM || new Set(events.map(({ at }) => at)).size < 2 ? (
    <List events={events} />
  ) : (
    <div>
      <Lanes title={title} events={events} />
      <details>
        <summary>As a list</summary>
        <List events={events} />
      </details>
    </div>
  );
