/** Lines over time, drawn as SVG: small, without axes that nobody reads, but with what each minute was. */
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
  const max = Math.max(...lines.flatMap(({ values }) => values.map((value) => value ?? 0)), Number.MIN_VALUE);
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
          <time class="muted">{at === undefined ? "now" : clockText(times[at] ?? "").slice(0, 5)}</time>
        </span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}: ${said}`}
        onMouseMove={point}
        onMouseLeave={() => setAt(undefined)}
      >
        <path class="base" d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} />
        {lines.map((line) => (
          <path key={line.name} class={`line ${line.tone}`} d={pathOf(line.values, max)} />
        ))}
        {at !== undefined && times.length > 1 && (
          <path class="cursor" d={`M${((at * WIDTH) / (times.length - 1)).toFixed(1)} 0V${HEIGHT}`} />
        )}
      </svg>
    </figure>
  );
}
