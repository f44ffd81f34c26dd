/** What widgets show at the most. */
import { expect, it } from "vitest";
import { shownWidgets } from "./widgets.ts";

const code = (length: number) =>
  ({ kind: "code", title: "t", language: "json", text: "c".repeat(length) }) as const;
const picture = (bytes: number) =>
  ({ kind: "picture", title: "t", type: "image/png", bytes: Buffer.alloc(bytes) }) as const;

it("24 widgets of a page", () => {
  const shown = (count: number) => shownWidgets(Array.from({ length: count }, () => code(1))).length;
  expect([24, 25].map(shown)).toEqual([24, 24]);
});

it("64 Ki characters of a text, then an ellipsis", () => {
  const shown = (length: number) =>
    JSON.stringify(shownWidgets([code(length)])).replace(/^.*?(c+…?)".*$/, "$1");
  expect(shown(65_536)).toBe("c".repeat(65_536));
  expect(shown(65_537)).toBe(`${"c".repeat(65_536)}…`);
});

it("512 KiB of a picture; a larger one is left out", () => {
  expect([524_288, 524_289].map((bytes) => shownWidgets([picture(bytes)]).length)).toEqual([1, 0]);
});

it("five hundred points of a chart and events of a timeline", () => {
  const points = Array.from({ length: 501 }, (_, index) => ({ name: `n${index}`, value: index }));
  const events = points.map(({ name }) => ({ at: "2026-01-01T00:00:00.000Z", text: name }));
  const shown = shownWidgets([
    { kind: "chart", title: "t", form: "bars", unit: "things", points },
    { kind: "timeline", title: "t", events },
  ]);
  expect(shown).toMatchObject([{ points: points.slice(0, 500) }, { events: events.slice(0, 500) }]);
});
