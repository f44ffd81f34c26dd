/** Token boundaries in each culture. Labels depend on them. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tokenize } from "./tokenize.ts";

const TABLE: readonly (readonly [culture: string, text: string, tokens: readonly string[]])[] = [
  [
    "en-us",
    "Book a flight to New York, please!",
    ["Book", "a", "flight", "to", "New", "York", ",", "please", "!"],
  ],
  ["en-us", "it's 5:30pm", ["it", "'", "s", "5", ":", "30pm"]],
  ["de-de", "Ich fahre einen Krankenwagen.", ["Ich", "fahre", "einen", "Krankenwagen", "."]],
  ["nl-nl", "Ik wil 's ochtends vertrekken", ["Ik", "wil", "'", "s", "ochtends", "vertrekken"]],
  ["fr-fr", "l'été à Orléans", ["l", "'", "été", "à", "Orléans"]],
  ["es-es", "¿Cuánto cuesta?", ["¿", "Cuánto", "cuesta", "?"]],
  ["it-it", "un'altra città", ["un", "'", "altra", "città"]],
  ["pt-br", "amanhã às 9h", ["amanhã", "às", "9h"]],
  ["ja-jp", "東京から大阪まで", ["東京", "から", "大阪", "まで"]],
  ["zh-cn", "订一张去北京的iPhone票", ["订", "一", "张", "去", "北", "京", "的", "iPhone", "票"]],
  ["ko-kr", "서울에서 KTX로", ["서", "울", "에", "서", "KTX", "로"]],
  ["hi-in", "मुझे दिल्ली जाना है।", ["मुझे", "दिल्ली", "जाना", "है", "।"]],
  ["ar-ar", "أريد السفر إلى القاهرة؟", ["أريد", "السفر", "إلى", "القاهرة", "؟"]],
  ["tr-tr", "İstanbul'a gitmek istiyorum", ["İstanbul", "'", "a", "gitmek", "istiyorum"]],
];

describe("tokens", () => {
  it.each(TABLE)("of %s: %s", (culture, text, tokens) => {
    expect(tokenize(text, culture).map(({ start, end }) => text.slice(start, end))).toEqual(tokens);
  });

  const cultures = fc.constantFrom(...new Set(TABLE.map(([culture]) => culture)));
  const texts = fc.string({ unit: "grapheme", maxLength: 60 });

  it("lie in order, are never empty, and hold every character that is no space exactly once", () => {
    fc.assert(
      fc.property(texts, cultures, (text, culture) => {
        let last = 0;
        for (const { start, end } of tokenize(text, culture)) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          expect(text.slice(last, start).trim()).toBe("");
          expect(text.slice(start, end)).toMatch(/^\S+$/u);
          last = end;
        }
        expect(text.slice(last).trim()).toBe("");
      }),
    );
  });

  it("do not change when they are cut again", () => {
    fc.assert(
      fc.property(texts, fc.constantFrom("en-us", "zh-cn", "ko-kr"), (text, culture) => {
        for (const { start, end } of tokenize(text, culture))
          expect(tokenize(text.slice(start, end), culture)).toEqual([{ start: 0, end: end - start }]);
      }),
    );
  });
});
