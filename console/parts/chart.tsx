/** Lines over time, drawn as SVG, with a scale, the times below, and the values of the minute that is pointed at. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { clockText } from "../texts.ts";

export type Line = {
  readonly name: string;
  readonly tone: "main" | "second" | "bad";
  /** Null where nothing is known. */
  readonly values: readonly (number | null)[];
};

const WIDTH = 600;
const HEIGHT = 96;
const TOP = 6;

/** A minute alone is drawn as a dot, by the round end of a line that has next to no length. */
function pathOf(values: readonly (number | null)[], max: number): string {
  const step = WIDTH / Math.max(1, values.length - 1);
  let isOpen = false;
  let text = "";
  values.forEach((value, at) => {
    if (value === null) {
      isOpen = false;
      return;
    }
    const y = HEIGHT - (value / max) * (HEIGHT - TOP);
    text += `${isOpen ? "L" : "M"}${(at * step).toFixed(1)} ${y.toFixed(1)}${isOpen ? "" : "h.01"}`;
    isOpen = true;
  });
  return text;
}

const STEPS = [1, 2, 5, 10];
/** The next round figure, so that the scale can be read. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return (STEPS.find((step) => step * power >= value) ?? 10) * power;
}
const minuteText = (iso: string | undefined): string => (iso === undefined ? "" : clockText(iso).slice(0, 5));

const Scale = ({
  max,
  show,
}: {
  readonly max: number;
  readonly show: (value: number) => string;
}): JSX.Element => (
  <div class="scale" aria-hidden="true">
    {[max, max / 2, 0].map((value) => (
      <span key={value}>{show(value)}</span>
    ))}
  </div>
);
const Times = ({ times }: { readonly times: readonly string[] }): JSX.Element => (
  <div class="times" aria-hidden="true">
    {[0, Math.floor((times.length - 1) / 2), times.length - 1].map((at) => (
      <span key={at}>{minuteText(times[at])}</span>
    ))}
  </div>
);

export function Chart({
  title,
  lines,
  times,
  show,
}: {
  readonly title: string;
  readonly lines: readonly Line[];
  readonly times: readonly string[];
  readonly show: (value: number) => string;
}): JSX.Element {
  const [at, setAt] = useState<number>();
  const highest = Math.max(...lines.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const max = highest > 0 ? roundUp(highest) : 1;
  const shown = at ?? times.length - 1;
  const valueAt = ({ values }: Line) => values[shown] ?? null;
  const said = lines.map((line) => `${line.name} ${show(valueAt(line) ?? 0)}`).join(", ");
  const point = (event: MouseEvent) => {
    const { left, width } = (event.currentTarget as Element).getBoundingClientRect();
    setAt(
      Math.max(
        0,
        Math.min(times.length - 1, Math.round(((event.clientX - left) / width) * (times.length - 1))),
      ),
    );
  };
  return (
    <figure class="chart">
      <figcaption>
        <b>{title}</b>
        <span class="chart-values">
          {lines.map((line) => (
            <span key={line.name}>
              <i class={`key ${line.tone}`} aria-hidden="true" /> {lines.length > 1 && line.name}{" "}
              <b>{valueAt(line) === null ? "–" : show(valueAt(line) ?? 0)}</b>
            </span>
          ))}
          <time class="muted">{at === undefined ? "now" : minuteText(times[at])}</time>
        </span>
      </figcaption>
      <div class="plot">
        <Scale max={max} show={show} />
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${title}: ${said}`}
          onMouseMove={point}
          onMouseLeave={() => setAt(undefined)}
        >
          <path class="base" d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} />
          <path class="grid" d={`M0 ${TOP}H${WIDTH}M0 ${(HEIGHT + TOP) / 2}H${WIDTH}`} />
          {lines.map((line) => (
            <path key={line.name} class={`line ${line.tone}`} d={pathOf(line.values, max)} />
          ))}
          {at !== undefined && times.length > 1 && (
            <path class="cursor" d={`M${((at * WIDTH) / (times.length - 1)).toFixed(1)} 0V${HEIGHT}`} />
          )}
        </svg>
        <Times times={times} />
      </div>
    </figure>
  );
}
