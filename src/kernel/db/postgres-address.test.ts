/** Addresses of PostgreSQL: one server or several, and what is said about a wrong one. */
import { describe, expect, it } from "vitest";
import { readPostgresAddress } from "./postgres-address.ts";

describe("an address", () => {
  it.each([
    ["postgres://medley@db/name", ["postgres://medley@db/name"]],
    ["postgresql://a,b:5433/name", ["postgresql://a/name", "postgresql://b:5433/name"]],
    [
      "postgres://u:p%40w@a:5432,[::1]:5433/name?sslmode=require",
      [
        "postgres://u:p%40w@a:5432/name?sslmode=require",
        "postgres://u:p%40w@[::1]:5433/name?sslmode=require",
      ],
    ],
    ["postgres:///name?host=/run/postgresql", ["postgres:///name?host=%2Frun%2Fpostgresql"]],
  ])("%s names its servers", (text, servers) => {
    expect(readPostgresAddress(text)).toEqual({ servers, settings: "", prepare: undefined });
  });
  it("keeps settings and says whether statements have names", () => {
    const text = "postgres://a,b/name?prepare=false&options=-c%20search_path%3Dmedley";
    expect(readPostgresAddress(text)).toEqual({
      servers: ["postgres://a/name", "postgres://b/name"],
      settings: "-c search_path=medley",
      prepare: false,
    });
  });
  it.each(["mysql://a/b", "postgres://", "postgres://a,,b/name", "postgres://secret@a:99999/name", "a,b"])(
    "%s is refused without its password",
    (text) => {
      const read = () => readPostgresAddress(text);
      expect(read).toThrow(/not an? (?:address|host) such as/);
      expect(read).not.toThrow(/secret/);
    },
  );
  it("refuses what prepare cannot be", () => {
    expect(() => readPostgresAddress("postgres://a/b?prepare=maybe")).toThrow("neither true nor false");
  });
});
