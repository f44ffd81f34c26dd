/** The frame of a chart: a scale with units, ticks below, and the value at the place that is pointed at or focused. */
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import type { Tick, ValueAxis } from "./axis.ts";

/** The drawing is this large inside, and takes the room it gets. */
export const PLOT_WIDTH = 1000;
export const PLOT_HEIGHT = 100;

export const heightOf = (value: number, { low, high }: ValueAxis): number =>
  PLOT_HEIGHT * (1 - (value - low) / (high - low));

const KEYS: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowLeft: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  ArrowDown: (at) => at - 1,
  ArrowUp: (at) => at + 1,
  PageDown: (at) => at - 10,
  PageUp: (at) => at + 10,
  Home: () => 0,
  End: (_at, last) => last,
};

function nearest(places: readonly number[], wanted: number): number {
  let best = 0;
  places.forEach((place, at) => {
    if (Math.abs(place - wanted) < Math.abs((places[best] ?? 0) - wanted)) best = at;
  });
  return best;
}

const Ticks = ({ axis, places }: { readonly axis: ValueAxis; readonly places: readonly Tick[] }) => (
  <>
    {axis.ticks.map((value) => (
      <path
        key={value}
        class={value === 0 || value === axis.low ? "base" : "grid"}
        d={`M0 ${heightOf(value, axis).toFixed(2)}H${PLOT_WIDTH}`}
      />
    ))}
    {places.map(({ at }) => (
      <path key={at} class="grid" d={`M${(at * PLOT_WIDTH).toFixed(1)} 0V${PLOT_HEIGHT}`} />
    ))}
  </>
);

const percent = (part: number): string => `${(100 * part).toFixed(2)}%`;
const Labels = ({ axis, ticks, show }: Pick<PlotProps, "axis" | "ticks" | "show">): JSX.Element => (
  <>
    <div class="scale" aria-hidden="true">
      {axis.ticks.map((value) => (
        <span key={value} style={{ top: percent(heightOf(value, axis) / PLOT_HEIGHT) }}>
          {show(value)}
        </span>
      ))}
    </div>
    <div class="times" aria-hidden="true">
      {ticks.map(({ at, text }) => (
        <span key={at} style={{ left: percent(at) }}>
          {text}
        </span>
      ))}
    </div>
  </>
);

type PlotProps = {
  readonly title: string;
  readonly axis: ValueAxis;
  readonly ticks: readonly Tick[];
  readonly show: (value: number) => string;
  /** Where the points stand, from 0 to 1, in their order. */
  readonly places: readonly number[];
  /** What a point says, for those who hear it. */
  readonly saidAt: (at: number) => string;
  /** Undefined: nothing is pointed at. */
  readonly at: number | undefined;
  readonly onPoint: (at: number | undefined) => void;
  readonly children: ComponentChildren;
};

/** The point that the reader points at or moves to by keyboard. */
export const usePointed = () => useState<number>();

export function Plot(props: PlotProps): JSX.Element {
  const { title, axis, ticks, show, places, saidAt, at, onPoint, children } = props;
  const last = places.length - 1;
  const shown = Math.min(at ?? last, last);
  const point = (event: PointerEvent) => {
    const { left, width } = (event.currentTarget as Element).getBoundingClientRect();
    onPoint(nearest(places, (event.clientX - left) / width));
  };
  const press = (event: KeyboardEvent) => {
    const move = KEYS[event.key];
    if (!move) return;
    event.preventDefault();
    onPoint(Math.max(0, Math.min(last, move(shown, last))));
  };
  const cursor = ((places[shown] ?? 0) * PLOT_WIDTH).toFixed(1);
  const longest = Math.max(...axis.ticks.map((value) => show(value).length));
  return (
    <div class="plot" style={{ "--scale": `${longest}ch` }}>
      <div
        class="plot-area"
        role="slider"
        tabIndex={0}
        aria-label={`${title}, by point`}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, last)}
        aria-valuenow={Math.max(0, shown)}
        aria-valuetext={last < 0 ? "nothing yet" : saidAt(shown)}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => onPoint(undefined)}
        onFocus={() => onPoint(shown)}
        onBlur={() => onPoint(undefined)}
        onKeyDown={press}
      >
        <svg viewBox={`0 0 ${PLOT_WIDTH} ${PLOT_HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          <Ticks axis={axis} places={ticks} />
          {children}
          {at !== undefined && last >= 0 && <path class="cursor" d={`M${cursor} 0V${PLOT_HEIGHT}`} />}
        </svg>
      </div>
      <Labels axis={axis} ticks={ticks} show={show} />
    </div>
  );
}
