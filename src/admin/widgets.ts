/** Converts widgets of services for the browser: only known kinds, with limited size. */
import { type Static, Type } from "@sinclair/typebox";
import type { Widget } from "#kernel/operation";

const WIDGETS_MAX = 24;
const ITEMS_MAX = 500;
const TEXT_LENGTH_MAX = 64 * 1024;
const BYTES_MAX = 512 * 1024;

const text = (description: string, example: string) => Type.String({ description, examples: [example] });
const title = text("What it shows.", "Next runs");
const list = <Item extends Parameters<typeof Type.Array>[0]>(item: Item, description: string) =>
  Type.Array(item, { description });
const content = {
  type: text("Its media type.", "image/png"),
  bytes: Type.String({ description: "It itself, in base64.", examples: ["iVBORw0KGgo="] }),
};
const WidgetShape = Type.Union(
  [
    Type.Object({
      kind: Type.Literal("timeline", { description: "Instants in their order." }),
      title,
      events: list(
        Type.Object({
          at: text("When.", "2026-01-01T00:00:00.000Z"),
          text: text("What.", "nightly/report"),
          state: Type.Optional(text("How it went, or stands.", "done")),
        }),
        "What happened, or will.",
      ),
    }),
    Type.Object({
      kind: Type.Literal("chart", { description: "Numbers side by side." }),
      title,
      form: Type.Union(
        [Type.Literal("bars"), Type.Literal("columns"), Type.Literal("line"), Type.Literal("steps")],
        { description: "How they are drawn. The names of `steps` are times." },
      ),
      unit: text("What is counted.", "contributions"),
      points: list(
        Type.Object({
          name: text("Of what.", "approved"),
          value: Type.Number({ description: "How much.", examples: [12] }),
          text: Type.Optional(text("The value with its unit, if a plain number is not enough.", "12.50 EUR")),
        }),
        "The numbers.",
      ),
    }),
    Type.Object({ kind: Type.Literal("picture", { description: "A picture." }), title, ...content }),
    Type.Object({ kind: Type.Literal("audio", { description: "A sound." }), title, ...content }),
    Type.Object({
      kind: Type.Literal("code", { description: "A text in a language of machines." }),
      title,
      language: text("Which language.", "json"),
      text: text("The text.", "{}"),
    }),
    Type.Object({
      kind: Type.Literal("diff", { description: "A text as it was and as it is." }),
      title,
      before: text("As it was.", "on"),
      after: text("As it is.", "off"),
    }),
  ],
  { description: "One of a closed set of ways to show something." },
);
export const Widgets = Type.Array(WidgetShape, {
  description: "What the service shows besides the table.",
  examples: [[{ kind: "code", title: "Definition", language: "json", text: "{}" }]],
});
type ShownWidget = Static<typeof WidgetShape>;

const some = <Item>(items: readonly Item[]): Item[] => items.slice(0, ITEMS_MAX);
const cut = (long: string): string =>
  long.length > TEXT_LENGTH_MAX ? `${long.slice(0, TEXT_LENGTH_MAX)}…` : long;

/** Undefined if the widget is too large. */
function shown(widget: Widget): ShownWidget | undefined {
  switch (widget.kind) {
    case "timeline":
      return { ...widget, events: some(widget.events) };
    case "chart":
      return { ...widget, points: some(widget.points) };
    case "code":
      return { ...widget, text: cut(widget.text) };
    case "diff":
      return { ...widget, before: cut(widget.before), after: cut(widget.after) };
    default:
      return widget.bytes.length > BYTES_MAX
        ? undefined
        : { ...widget, bytes: Buffer.from(widget.bytes).toString("base64") };
  }
}
export const shownWidgets = (widgets: readonly Widget[]): ShownWidget[] =>
  widgets
    .slice(0, WIDGETS_MAX)
    .map(shown)
    .filter((widget) => widget !== undefined);
