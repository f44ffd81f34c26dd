/** Lines over time, with axes and the values of the minute that is pointed at. */
import type { JSX } from "preact";
import { clockText } from "../texts.ts";
import { timeTicks, type ValueAxis, valueAxis } from "./axis.ts";
import { heightOf, PLOT_WIDTH, Plot, usePointed } from "./plot.tsx";

export type Line = {
  readonly name: string;
  readonly tone: "main" | "second" | "bad";
  /** Null where nothing is known. */
  readonly values: readonly (number | null)[];
};

/** A minute alone is drawn as a dot, by the round end of a line that has next to no length. */
function pathOf(values: readonly (number | null)[], axis: ValueAxis): string {
  const step = PLOT_WIDTH / Math.max(1, values.length - 1);
  let isOpen = false;
  let text = "";
  values.forEach((value, at) => {
    if (value === null) {
      isOpen = false;
      return;
    }
    const y = heightOf(value, axis).toFixed(1);
    text += `${isOpen ? "L" : "M"}${(at * step).toFixed(1)} ${y}${isOpen ? "" : "h.01"}`;
    isOpen = true;
  });
  return text;
}

const minuteText = (iso: string | undefined): string => (iso === undefined ? "" : clockText(iso).slice(0, 5));
const axisOf = (lines: readonly Line[], isWhole: boolean): ValueAxis =>
  valueAxis(0, Math.max(...lines.flatMap(({ values }) => values.map((value) => value ?? 0))), isWhole);

export function Chart({
  title,
  lines,
  times,
  show,
  isWhole = false,
}: {
  readonly title: string;
  readonly lines: readonly Line[];
  readonly times: readonly string[];
  readonly show: (value: number) => string;
  /** There are no halves of what is counted. */
  readonly isWhole?: boolean;
}): JSX.Element {
  const [at, setAt] = usePointed();
  const axis = axisOf(lines, isWhole);
  const last = times.length - 1;
  const shown = Math.min(at ?? last, last);
  const textOf = ({ values }: Line, index: number) => {
    const value = values[index] ?? null;
    return value === null ? "–" : show(value);
  };
  return (
    <figure class="chart">
      <figcaption>
        <b>{title}</b>
        <span class="chart-values">
          {lines.map((line) => (
            <span key={line.name}>
              <i class={`key ${line.tone}`} aria-hidden="true" /> {lines.length > 1 && line.name}{" "}
              <b>{textOf(line, shown)}</b>
            </span>
          ))}
          <time class="muted">{at === undefined ? "now" : minuteText(times[shown])}</time>
        </span>
      </figcaption>
      <Plot
        title={title}
        axis={axis}
        ticks={last > 0 ? timeTicks(Date.parse(times[0] ?? ""), Date.parse(times[last] ?? "")) : []}
        show={show}
        places={times.map((_time, index) => index / Math.max(1, last))}
        saidAt={(index) =>
          `${minuteText(times[index])}: ${lines.map((line) => `${line.name} ${textOf(line, index)}`).join(", ")}`
        }
        at={at}
        onPoint={setAt}
      >
        {lines.map((line) => (
          <path key={line.name} class={`line ${line.tone}`} d={pathOf(line.values, axis)} />
        ))}
      </Plot>
    </figure>
  );
}
