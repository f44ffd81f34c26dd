/** What of a body is looked at for a maker's spelling. */
import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { defineDialect } from "./dialect.ts";

const dialect = defineDialect({ name: "maker", fields: { makerKind: "kind" } });

it("detects a maker's members at every depth, but does not look into bytes and streams", () => {
  const bytes = Object.assign(new Uint8Array(4), { makerKind: "in bytes" });
  const stream = Object.assign(Readable.from(["text"]), { makerKind: "in a stream" });
  const isDetected = (body: unknown) => dialect.detectBody(body);
  expect([{ makerKind: "a" }, [{ of: { makerKind: "a" } }]].map(isDetected)).toEqual([true, true]);
  expect([bytes, { file: bytes }, [bytes], stream, { kind: "a" }].map(isDetected)).toEqual(
    Array(5).fill(false),
  );
  expect(dialect.neutralBody("sample", bytes)).toBe(bytes);
});
