/** The closed set of ways in which a service shows something, drawn from what it declares as data. */
import type { ComponentChildren, JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { Answers } from "../../generated/operations.ts";
import { countText } from "../../texts.ts";
import { Code, useBlobAddress } from "../bodies/body-view.tsx";
import { DifferenceView } from "../bodies/difference-view.tsx";
import { bytesOfBase64 } from "../bodies/hex.ts";
import { StateDiagram } from "./state-diagram.tsx";
import { Timeline } from "./timeline.tsx";

export type Shown = NonNullable<Answers["medley.views"]["views"][number]["widgets"]>[number];
type Of<Kind extends Shown["kind"]> = Extract<Shown, { readonly kind: Kind }>;

const LINE_WIDTH = 600;
const LINE_HEIGHT = 120;

const Bars = ({ points, unit }: Of<"chart">): JSX.Element => {
  const most = Math.max(1, ...points.map(({ value }) => value));
  return (
    <ul class="bars">
      {points.map(({ name, value }) => (
        <li key={name}>
          <span>{name}</span>
          <i style={{ width: `${(100 * value) / most}%` }} aria-hidden="true" />
          <b>
            {countText(value)} <span class="unseen">{unit}</span>
          </b>
        </li>
      ))}
    </ul>
  );
};

/** A drawing over the whole width, with its first and last point and its highest value in words. */
function Drawing({
  title,
  points,
  unit,
  most,
  children,
}: Of<"chart"> & { most: number; children: ComponentChildren }) {
  return (
    <div class="chart">
      <svg
        viewBox={`0 0 ${LINE_WIDTH} ${LINE_HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}: ${points.length} values, at most ${countText(most)} ${unit}`}
      >
        <path class="base" d={`M0 ${LINE_HEIGHT - 0.5}H${LINE_WIDTH}`} />
        {children}
      </svg>
      <p class="muted small">
        {points[0]?.name} to {points.at(-1)?.name}, at most {countText(most)} {unit}
      </p>
    </div>
  );
}

/** Room between columns, as a part of the width of each. */
const COLUMN_GAP = 0.25;
function Columns(chart: Of<"chart">): JSX.Element {
  const { points, unit } = chart;
  const most = Math.max(1, ...points.map(({ value }) => value));
  const step = LINE_WIDTH / Math.max(1, points.length);
  return (
    <Drawing {...chart} most={most}>
      {points.map(({ name, value }, at) => (
        <rect
          key={name}
          class="week"
          x={(at + COLUMN_GAP / 2) * step}
          width={(1 - COLUMN_GAP) * step}
          y={LINE_HEIGHT * (1 - value / most)}
          height={(LINE_HEIGHT * value) / most}
        >
          <title>{`${name}: ${countText(value)} ${unit}`}</title>
        </rect>
      ))}
    </Drawing>
  );
}

function LineChart(chart: Of<"chart">): JSX.Element {
  const { points } = chart;
  const most = Math.max(Number.MIN_VALUE, ...points.map(({ value }) => value));
  const step = LINE_WIDTH / Math.max(1, points.length - 1);
  const path = points
    .map(
      ({ value }, at) =>
        `${at === 0 ? "M" : "L"}${(at * step).toFixed(1)} ${(LINE_HEIGHT * (1 - value / most)).toFixed(1)}`,
    )
    .join("");
  return (
    <Drawing {...chart} most={most}>
      <path class="line main" d={path} />
    </Drawing>
  );
}

const CHARTS = { bars: Bars, columns: Columns, line: LineChart };
const Chart = (chart: Of<"chart">): JSX.Element => {
  const Drawing = CHARTS[chart.form];
  return <Drawing {...chart} />;
};

function Medium({ kind, title, type, bytes }: Of<"picture"> | Of<"audio">): JSX.Element {
  const content = useMemo(() => bytesOfBase64(bytes), [bytes]);
  const address = useBlobAddress(content, type);
  if (kind === "picture") return <img class="picture" src={address} alt={title} />;
  return <audio controls src={address} aria-label={title} />;
}

function Drawn({ widget }: { readonly widget: Shown }): JSX.Element {
  switch (widget.kind) {
    case "timeline":
      return <Timeline {...widget} />;
    case "states":
      return <StateDiagram {...widget} />;
    case "chart":
      return <Chart {...widget} />;
    case "picture":
    case "audio":
      return <Medium {...widget} />;
    case "code":
      return (
        <Code
          text={widget.text}
          language={widget.language === "json" || widget.language === "xml" ? widget.language : "none"}
          label={widget.title}
        />
      );
    default:
      return <DifferenceView left={widget.before} right={widget.after} label={widget.title} />;
  }
}

export const WidgetView = ({ widget }: { readonly widget: Shown }): JSX.Element => (
  <figure class="panel drawing widget">
    <figcaption>{widget.title}</figcaption>
    <Drawn widget={widget} />
  </figure>
);
