/** How each kind of say-as content is read. */
import { describe, expect, it } from "vitest";
import { findCardinalWords, findOrdinalWords, yearWords } from "./number-words.ts";
import { findSayAsFault, sayAs } from "./say-as.ts";

describe("say-as", () => {
  it.each<[string, string, string | undefined, string]>([
    ["characters", "AB1", undefined, "ay B 1"],
    ["spell-out", "a.b c", undefined, "ay dot B, C"],
    ["cardinal", "12345", undefined, "twelve thousand three hundred forty five"],
    ["cardinal", "-1,000.05", undefined, "minus one thousand point zero five"],
    ["number", "0", undefined, "zero"],
    ["cardinal", "about 5", undefined, "about 5"],
    ["ordinal", "21", undefined, "twenty first"],
    ["ordinal", "40th", undefined, "fortieth"],
    ["digits", "407", undefined, "4 0 7"],
    ["fraction", "2/9", undefined, "two ninths"],
    ["fraction", "3+1/2", undefined, "three and a half"],
    ["fraction", "3/4", undefined, "three quarters"],
    ["unit", "5kg", undefined, "five kilograms"],
    ["unit", "1 km/h", undefined, "one kilometre per hour"],
    ["unit", "5 parsecs", undefined, "5 parsecs"],
    ["date", "12/25/2024", "mdy", "December twenty fifth, twenty twenty four"],
    ["date", "25.12.1999", "dmy", "December twenty fifth, nineteen ninety nine"],
    ["date", "2005-01-02", undefined, "January second, two thousand five"],
    ["date", "20240229", undefined, "February twenty ninth, twenty twenty four"],
    ["date", "????0925", "yyyymmdd", "September twenty fifth"],
    ["date", "09/2024", "my", "September, twenty twenty four"],
    ["date", "13/45/2024", "mdy", "13/45/2024"],
    ["date", "tomorrow", "mdy", "tomorrow"],
    ["time", `1'21"`, undefined, "one minute and twenty one seconds"],
    ["time", "10:05am", undefined, "ten oh five A M"],
    ["time", "14:00", "hms24", "fourteen o'clock"],
    ["time", "7:30:01", undefined, "seven thirty and one second"],
    ["telephone", "+1 (206) 555-0100", undefined, "plus 1, 2 0 6, 5 5 5, 0 1 0 0"],
    ["telephone", "555-1234 x12", undefined, "5 5 5, 1 2 3 4, extension, 1 2"],
    ["currency", "$42.50", undefined, "forty two dollars and fifty cents"],
    ["currency", "€1", undefined, "one euro"],
    ["currency", "3.01 GBP", undefined, "three pounds and one penny"],
    ["currency", "-£0.20", undefined, "minus zero pounds and twenty pence"],
    ["currency", "USD 1,000,000", undefined, "one million dollars"],
    ["currency", "5 groats", undefined, "5 groats"],
    ["expletive", "darn", undefined, "beep"],
    ["address", "1 Main St.", undefined, "1 Main St."],
  ])("%s %s %s", (kind, text, format, expected) => {
    expect(findSayAsFault(kind, format)).toBeUndefined();
    expect(sayAs(text, kind, format)).toBe(expected);
  });
});

describe("number words", () => {
  it("reads large and odd numbers", () => {
    expect(findCardinalWords("1000000000000000")).toBe("one quadrillion");
    expect(findCardinalWords("007")).toBe("seven");
    expect(findCardinalWords("1234567890123456789")).toMatch(/^one two three/);
    expect(findCardinalWords("1,23")).toBeUndefined();
    expect(findOrdinalWords("100")).toBe("one hundredth");
    expect(findOrdinalWords("1.5")).toBeUndefined();
    expect(yearWords(1905)).toBe("nineteen oh five");
    expect(yearWords(1900)).toBe("nineteen hundred");
    expect(yearWords(2000)).toBe("two thousand");
  });
});
