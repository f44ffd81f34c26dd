/**
 * Labels by character positions, for each culture: they are snapped to tokens, and returned as those tokens.
 */
import { expect, it } from "vitest";
import { authoring } from "../../../tests/support/language.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

/** The labelled text, and the first and last token of the resulting label. */
const TABLE: readonly (readonly [
  culture: string,
  text: string,
  labelled: string,
  first: number,
  last: number,
])[] = [
  ["en-us", "Book a flight to New York, please!", "New York", 4, 5],
  ["de-de", "Fahr nach Bad Tölz, bitte", "Bad Tölz", 2, 3],
  ["nl-nl", "Ik wil naar 's-Hertogenbosch", "'s-Hertogenbosch", 3, 6],
  ["fr-fr", "un vol pour l'Île-d'Yeu", "l'Île-d'Yeu", 3, 9],
  ["es-es", "¿Cuánto cuesta ir a Málaga?", "Málaga", 5, 5],
  ["it-it", "vorrei andare all'Aquila", "Aquila", 4, 4],
  ["pt-br", "passagem para São Paulo amanhã", "São Paulo", 2, 3],
  ["ja-jp", "東京から大阪まで", "大阪", 2, 2],
  ["zh-cn", "订一张去北京的票", "北京", 4, 5],
  ["ko-kr", "서울에서 부산까지", "부산", 4, 5],
  ["hi-in", "मुझे दिल्ली जाना है", "दिल्ली", 1, 1],
  ["ar-ar", "أريد السفر إلى القاهرة", "القاهرة", 3, 3],
  ["tr-tr", "İstanbul'a gitmek istiyorum", "İstanbul", 0, 0],
];

onBothDatabases(
  "language labels",
  (instance) => {
    const { ok, refused, newApp, label } = authoring(instance);

    it.each(TABLE)("of %s stand on tokens: %s", async (culture, text, labelled, first, last) => {
      const { v } = await newApp({ culture });
      await ok("POST", `${v}/entities`, { name: "Place" });
      const startCharIndex = text.indexOf(labelled);
      const endCharIndex = startCharIndex + labelled.length - 1;
      await label(v, text, "None", [{ entityName: "Place", startCharIndex, endCharIndex }]);
      const [review] = await ok("GET", `${v}/examples`);
      expect(review.entityLabels).toEqual([
        { entityName: "Place", startTokenIndex: first, endTokenIndex: last },
      ]);
      expect(review.tokenizedText.slice(first, last + 1).join("")).toBe(labelled.replace(" ", ""));
      const exported = await ok("GET", `${v}/export`);
      expect(exported.utterances[0].entities).toMatchObject([
        { entity: "Place", startPos: startCharIndex, endPos: endCharIndex },
      ]);
      if (["ja-jp", "zh-cn", "ko-kr"].includes(culture)) return;
      const cut = { entityName: "Place", startCharIndex, endCharIndex: endCharIndex - 1 };
      expect(
        await refused("POST", `${v}/example`, { text, intentName: "None", entityLabels: [cut] }),
      ).toContain("start and end of a token");
    });
  },
  { services: ["language"] },
);
