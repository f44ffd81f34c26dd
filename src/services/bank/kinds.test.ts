/**
 * A record body is checked against its kind's schema on write, and upgraded to the current version on read.
 */
import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { Type } from "@sinclair/typebox";
import { describe, expect, it } from "vitest";
import "./index.ts";
import {
  emptyKind,
  getKind,
  keptIn,
  keptText,
  ledgerDetails,
  paymentDetails,
  recordKind,
  shareDetails,
  userDetails,
} from "./book/index.ts";

const FIXTURES = new URL("../../../tests/upgrade/fixtures/", import.meta.url);
type Row = { readonly kind: string; readonly body: string };
const rowsIn = (file: string, table: string) =>
  gunzipSync(readFileSync(new URL(file, FIXTURES)))
    .toString()
    .split("\n")
    .filter((line) => line.startsWith(`{"table":"${table}"`))
    .map((line) => JSON.parse(line).row);
const recordsIn = (file: string): Row[] => rowsIn(file, "bank_record");

describe("kinds of records", () => {
  const first = recordKind(
    ["test-first"],
    Type.Object({ minor: Type.Number(), note: Type.Optional(Type.String()) }),
  );
  const third = recordKind(["test-third"], Type.Object({ money: Type.Object({ minor: Type.Number() }) }), [
    ({ cents, ...rest }) => ({ ...rest, minor: cents }),
    ({ minor, ...rest }) => ({ ...rest, money: { minor } }),
  ]);

  it("writes what fits, and refuses the rest", () => {
    expect(keptText("test-first", { minor: 5, note: undefined })).toBe('{"minor":5}');
    expect(() => keptText("test-first", { minor: "5" })).toThrow(/test-first does not fit: minor/);
    expect(() => keptText("test-first", {})).toThrow("minor is required");
  });
  it("refuses kinds that nobody declared", () =>
    expect(() => keptText("test-unheard-of", {})).toThrow("the kind test-unheard-of is not declared"));
  it("keeps nothing in a record of an empty kind", () => {
    emptyKind("test-empty");
    expect(keptText("test-empty", {})).toBe("{}");
    expect(() => keptText("test-empty", { minor: 5 })).toThrow("test-empty does not fit");
  });
  it("reads what each version wrote", () => {
    const kept = { money: { minor: 7 } };
    const read = (body: object) => keptIn(third, { kind: "test-third", body: JSON.stringify(body) });
    expect(read({ cents: 7 })).toEqual(kept);
    expect(read({ minor: 7, $version: 2 })).toEqual(kept);
    expect(keptIn(third, { kind: "test-third", body: keptText("test-third", kept) })).toEqual(kept);
  });
  it("is read as its own kind only", () => {
    expect(() => keptIn(first, { kind: "test-third", body: "{}" })).toThrow(
      "a test-third is read as a test-first",
    );
  });

  const releases = readdirSync(FIXTURES).filter((name) => name.endsWith(".ndjson.gz"));
  it.each(releases)("what %s wrote fits once it is read", (file) => {
    const known = recordsIn(file).map((row) => ({ kind: getKind(row.kind), row }));
    // Writes each body back as it was read. A body that does not match its schema is refused.
    for (const { kind, row } of known) kind.write(kind.read(row.body) as object);
    // The first release had no bank.
    expect(known.length > 0).toBe(file !== "0.1.0.ndjson.gz");
  });
});

describe("details of users, accounts, payments and shares", () => {
  const columns = {
    bank_user: userDetails,
    bank_ledger: ledgerDetails,
    bank_payment: paymentDetails,
    bank_share: shareDetails,
  } as const;

  it("are checked when they are written", () => {
    expect(paymentDetails.write({ merchant_reference: undefined, attachments: [1] })).toBe(
      '{"attachments":[1]}',
    );
    expect(() => paymentDetails.write({ attachments: ["1"] } as never)).toThrow(
      "the details of a payment do not fit: attachments",
    );
  });
  it("keep members that the schema does not name", () => {
    const written = userDetails.write({ first_name: "Ann", gender: "FEMALE" } as never);
    expect(userDetails.read(written)).toEqual({ first_name: "Ann", gender: "FEMALE" });
  });
  const releases = readdirSync(FIXTURES).filter((name) => name.endsWith(".ndjson.gz"));
  it.each(releases)("of %s fit", (file) => {
    for (const [table, column] of Object.entries(columns))
      for (const { details } of rowsIn(file, table)) column.write(column.read(details) as never);
  });
});
