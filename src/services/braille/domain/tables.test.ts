/** Which table a caller means. */
import { describe, expect, it } from "vitest";
import { brailleTables, defaultTable, findTable } from "./tables.ts";

describe("the table", () => {
  it("is contracted Unified English Braille unless something else is asked for", () => {
    expect(findTable({})).toBe(defaultTable);
    expect(defaultTable).toMatchObject({ name: "en-ueb-g2", language: "en", grade: 2, dots: 6 });
  });
  it("is found by name, in any case, with or without its extension", () => {
    for (const table of ["en-us-g2", "EN-US-G2", "en-us-g2.ctb"])
      expect(findTable({ table })?.file).toBe("en-us-g2.ctb");
    expect(findTable({ table: "../../etc/passwd" })).toBeUndefined();
  });
  it("is found by language and grade", () => {
    expect(findTable({ language: "de" })?.name).toBe("de-de-g2");
    expect(findTable({ language: "de", grade: 1 })?.name).toBe("de-de-g1");
    expect(findTable({ grade: 1 })?.name).toBe("en-ueb-g1");
    expect(findTable({ language: "es", grade: 2 })).toBeUndefined();
    expect(findTable({ language: "tlh" })).toBeUndefined();
  });
  it("of a region falls back to its language", () => {
    expect(findTable({ language: "de-AT" })?.name).toBe("de-de-g2");
    expect(findTable({ language: "de-ch", grade: 0 })?.name).toBe("de-ch-g0");
    expect(findTable({ language: "zh-Hans-CN" })?.name).toBe("zh-chn");
  });
  it("has a name of its own", () => {
    expect(new Set(brailleTables.map(({ name }) => name.toLowerCase())).size).toBe(brailleTables.length);
  });
});
