/** The closed set of ways in which a service shows something, drawn from what it declares as data. */
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { Answers } from "../../generated/operations.ts";
import { Code, useBlobAddress } from "../bodies/body-view.tsx";
import { DifferenceView } from "../bodies/difference-view.tsx";
import { bytesOfBase64 } from "../bodies/hex.ts";
import { ChartView } from "./chart.tsx";
import { Timeline } from "./timeline.tsx";

export type Shown = NonNullable<Answers["medley.views"]["views"][number]["widgets"]>[number];
export type Of<Kind extends Shown["kind"]> = Extract<Shown, { readonly kind: Kind }>;

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
    case "chart":
      return <ChartView {...widget} />;
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
