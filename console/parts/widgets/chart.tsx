/** Charts that services declare: bars with their values, and columns, lines and steps with axes. */
import type { JSX } from "preact";
import { momentText, withUnit } from "../../texts.ts";
import { nameTicks, timeTicks, type ValueAxis, valueAxis } from "../axis.ts";
import { heightOf, PLOT_WIDTH, Plot, usePointed } from "../plot.tsx";
import type { Of } from "./widget.tsx";

type ChartData = Of<"chart">;
type Point = ChartData["points"][number];

const Bars = ({ points, unit }: ChartData): JSX.Element => {
  const most = Math.max(1, ...points.map(({ value }) => value));
  return (
    <ul class="bars">
      {points.map(({ name, value, text }) => (
        <li key={name}>
          <span>{name}</span>
          <i style={{ width: `${(100 * value) / most}%` }} aria-hidden="true" />
          <b>{text ?? withUnit(value, unit)}</b>
        </li>
      ))}
    </ul>
  );
};

/** Room between columns, as a part of the width of each. */
const COLUMN_GAP = 0.25;
function Columns({
  points,
  axis,
  at,
}: {
  readonly points: readonly Point[];
  readonly axis: ValueAxis;
  readonly at: number | undefined;
}): JSX.Element {
  const step = PLOT_WIDTH / Math.max(1, points.length);
  return (
    <>
      {points.map(({ name, value }, index) => (
        <rect
          key={name}
          class={index === at ? "week lit" : "week"}
          x={(index + COLUMN_GAP / 2) * step}
          width={(1 - COLUMN_GAP) * step}
          y={heightOf(value, axis)}
          height={heightOf(0, axis) - heightOf(value, axis)}
        />
      ))}
    </>
  );
}

/** `isStepped`: a value stays until the next one. */
function pathOf(points: readonly Point[], places: readonly number[], axis: ValueAxis, isStepped: boolean) {
  let path = "";
  points.forEach(({ value }, index) => {
    const x = ((places[index] ?? 0) * PLOT_WIDTH).toFixed(1);
    const y = heightOf(value, axis).toFixed(2);
    if (index === 0) path = `M${x} ${y}`;
    else path += isStepped ? `H${x}V${y}` : `L${x} ${y}`;
  });
  return path;
}

function placesOf({ form, points }: ChartData): number[] {
  if (form === "columns") return points.map((_point, index) => (index + 0.5) / points.length);
  if (form === "line") return points.map((_point, index) => index / Math.max(1, points.length - 1));
  const times = points.map(({ name }) => Date.parse(name));
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  return times.map((ms) => (ms - first) / Math.max(1, last - first));
}

function Plotted(chart: ChartData): JSX.Element {
  const { title, form, points, unit } = chart;
  const [at, setAt] = usePointed();
  const isInTime = form === "steps";
  const values = points.map(({ value }) => value);
  const isWhole = form === "columns" && values.every(Number.isInteger);
  const axis = valueAxis(Math.min(0, ...values), Math.max(0, ...values), isWhole);
  const places = placesOf(chart);
  const nameOf = ({ name }: Point) => (isInTime ? momentText(name) : name);
  const textOf = ({ value, text }: Point) => text ?? withUnit(value, unit);
  const last = points.length - 1;
  const shown = points[Math.min(at ?? last, last)];
  const names = points.map(({ name }) => name);
  return (
    <div class="chart tall">
      <p class="chart-values">
        {shown && (
          <>
            <span class="muted">{nameOf(shown)}</span> <b>{textOf(shown)}</b>
          </>
        )}
      </p>
      <Plot
        title={title}
        axis={axis}
        ticks={
          isInTime
            ? timeTicks(Date.parse(names[0] ?? ""), Date.parse(names.at(-1) ?? ""))
            : nameTicks(names, (index) => places[index] ?? 0)
        }
        show={(value) => withUnit(value, unit)}
        places={places}
        saidAt={(index) => {
          const point = points[index];
          return point ? `${nameOf(point)}: ${textOf(point)}` : "nothing yet";
        }}
        at={at}
        onPoint={setAt}
      >
        {form === "columns" ? (
          <Columns points={points} axis={axis} at={at} />
        ) : (
          <path class="line main" d={pathOf(points, places, axis, isInTime)} />
        )}
      </Plot>
    </div>
  );
}

export const ChartView = (chart: ChartData): JSX.Element =>
  chart.form === "bars" ? <Bars {...chart} /> : <Plotted {...chart} />;
