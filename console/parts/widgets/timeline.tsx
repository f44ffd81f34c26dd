/** What happened and what is due, along one axis of time: a lane for each thing, and the same as a list. */
import type { JSX } from "preact";
import { counted, dayText, momentText } from "../../texts.ts";
import { wordsOf } from "../../words.ts";
import { timeTicks } from "../axis.ts";
import { State, toneOf } from "../cells.tsx";
import { fittingRange } from "../fitting-range.ts";

export type TimelineEvent = {
  readonly at: string;
  readonly text: string;
  readonly state?: string | undefined;
};

const LANES_MAX = 12;

/** Shapes tell states apart, not colours alone: a square has failed, a ring is still to come. */
function Mark({ left, event }: { readonly left: string; readonly event: TimelineEvent }): JSX.Element {
  const tone = toneOf(event.state ?? "");
  const state = event.state === undefined ? "" : `, ${wordsOf(event.state)}`;
  const isDue = event.state === "due" || event.state === "waiting";
  return (
    <i
      class={`event ${isDue ? "due" : tone}`}
      style={{ left }}
      title={`${event.text}${state}, ${momentText(event.at)}`}
    />
  );
}

/** Events outside the range, the nearest first. */
const Beyond = ({
  word,
  events,
}: {
  readonly word: "earlier" | "later";
  readonly events: readonly TimelineEvent[];
}): JSX.Element | false =>
  events[0] !== undefined && (
    <span title={events.map(({ at }) => momentText(at)).join("\n")}>
      {word}: {dayText(events[0].at)}
      {events.length > 1 && `, ${events.length - 1} more`}
    </span>
  );

const msOf = ({ at }: TimelineEvent): number => Date.parse(at);
const percent = (part: number): string => `${(100 * part).toFixed(2)}%`;

export function Lanes({
  title,
  events,
}: {
  readonly title: string;
  readonly events: readonly TimelineEvent[];
}): JSX.Element {
  const dated = events.filter(({ at }) => !Number.isNaN(Date.parse(at)));
  const kinds = [...new Set(dated.map(({ text }) => text))];
  const names = kinds.slice(0, LANES_MAX);
  const further = kinds.length - names.length;
  const known = dated.filter(({ text }) => names.includes(text));
  const { from: first, until: last } = fittingRange(known.map(msOf));
  const leftOf = (event: TimelineEvent) => percent((msOf(event) - first) / Math.max(1, last - first));
  const [from, until] = [first, last].map((ms) => momentText(new Date(ms).toISOString()));
  const inOrder = [...known].sort((a, b) => msOf(a) - msOf(b));
  const earlier = inOrder.filter((event) => msOf(event) < first).reverse();
  const later = inOrder.filter((event) => msOf(event) > last);
  const shown = inOrder.filter((event) => msOf(event) >= first && msOf(event) <= last);
  const outside = earlier.length + later.length;
  const besides = outside === 0 ? "" : `, ${outside} outside of it`;
  const ticks = timeTicks(first, last);
  return (
    <div
      class={`lanes ${outside > 0 ? "bounded" : ""}`}
      role="img"
      aria-label={`${title}: ${counted(known.length, "event")} of ${counted(names.length, "kind")}, ${from} to ${until}${besides}`}
    >
      {names.map((name) => (
        <div class="lane" key={name}>
          <span title={name}>{name}</span>
          <div class="track">
            {ticks.map(({ at }) => (
              <b key={at} style={{ left: percent(at) }} />
            ))}
            {shown
              .filter(({ text }) => text === name)
              .map((event, index) => (
                <Mark key={index} left={leftOf(event)} event={event} />
              ))}
          </div>
          {outside > 0 && (
            <div class="beyond">
              <Beyond word="earlier" events={earlier.filter(({ text }) => text === name)} />
              <Beyond word="later" events={later.filter(({ text }) => text === name)} />
            </div>
          )}
        </div>
      ))}
      <div class="lane">
        <span class="range">
          {from === until ? from : `${from} to ${until}`}
          {further > 0 && `; ${counted(further, "further kind")} in the list`}
        </span>
        <div class="times">
          {ticks.map(({ at, text }) => (
            <span key={at} style={{ left: percent(at) }}>
              {text}
            </span>
          ))}
        </div>
      </div>
    </div>
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
