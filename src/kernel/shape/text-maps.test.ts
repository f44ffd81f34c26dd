/** Which members of declared shapes are maps of texts. */
import { Type } from "@sinclair/typebox";
import { expect, it } from "vitest";
import { textMapsOf } from "./text-maps.ts";

const Texts = Type.Record(Type.String(), Type.String());

it("finds maps of texts wherever they are, and takes nothing else for one", () => {
  const Body = Type.Object({
    tags: Type.Optional(Texts),
    labels: Type.Union([Texts, Type.Null()]),
    inner: Type.Object({ deep: Type.Array(Type.Object({ headers: Texts })) }),
    limits: Type.Record(Type.String(), Type.Integer()),
    resources: Type.Record(Type.String(), Type.Object({ id: Type.String(), notes: Texts })),
    name: Type.String(),
  });
  const Answer = Type.Intersect([Body, Type.Object({ shown: Texts })]);
  expect([...textMapsOf([Body])]).toEqual(["tags", "labels", "headers", "notes"]);
  expect([...textMapsOf([Answer])]).toEqual(["tags", "labels", "headers", "notes", "shown"]);
});
