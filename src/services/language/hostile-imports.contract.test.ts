/** Imports that a stranger wrote to cost much: the time of reading grows with the length alone. */
import { describe, expect, it } from "vitest";
import { growthRatio, LINEAR_RATIO_MAX } from "../../../tests/support/growth.ts";
import { authoring } from "../../../tests/support/language.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";
import { readLu } from "./transfer/lu-read.ts";

const SIZE = 3_000;
const lines = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => `${line(at)}\n`).join("");
const joined = (count: number, part: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => part(at)).join("");

/** Texts with a construct of the format so many times. */
const TEXTS: Record<string, (count: number) => string> = {
  intents: (count) => lines(count, (at) => `# I${at}\n- a ${at}`),
  "utterances of a long intent": (count) => `# ${"x".repeat(count)}\n${"- a\n".repeat(count)}`,
  "sections below a long name": (count) =>
    `> !# @enableSections = true\n> !# @enableMergeIntents = false\n# ${"x".repeat(count)}\n${lines(count, (at) => `## s${at}`)}`,
  "learned entities": (count) => lines(count, (at) => `@ ml e${at}`),
  "an entity again and again": (count) => lines(count, (at) => `@ ml e\n- @ ml c${at}`),
  "children of a child": (count) => `@ ml e\n- @ ml p\n${lines(count, (at) => ` - @ ml c${at}`)}`,
  roles: (count) => lines(count, (at) => `@ ml e hasRoles r${at}`),
  "roles of one line": (count) => `@ ml e hasRoles ${joined(count, (at) => `r${at},`)}`,
  features: (count) => lines(count, (at) => `@ ml e usesFeature f${at}`),
  additions: (count) => lines(count, (at) => `@ phraselist p${at}\n@ p${at} disabled`),
  synonyms: (count) => `@ list l =\n- x:\n${lines(count, (at) => `- s${at}`)}`,
  "synonyms of one line": (count) => `@ list l =\n- x:\n- ${joined(count, (at) => `s${at},`)}`,
  "values of a list": (count) => `@ list l =\n${lines(count, (at) => `- x${at}:`)}`,
  "a list again and again": (count) => lines(count, (at) => `@ list l =\n- x:\n- y${at}`),
  lists: (count) => lines(count, (at) => `@ list l${at} =\n- x:`),
  "regular expressions": (count) => lines(count, (at) => `@ regex r${at} = /a/`),
  "a long regular expression": (count) => `@ regex r = ${"/ ".repeat(count)}`,
  phrases: (count) => lines(count, (at) => `@ phraselist p =\n- s${at}`),
  "phrase lists": (count) => lines(count, (at) => `@ phraselist p${at}`),
  prebuilts: (count) => lines(count, (at) => `@ prebuilt number r${at}`),
  "patterns of names": (count) => lines(count, (at) => `@ patternany p =\n- s${at}`),
  composites: (count) => lines(count, (at) => `@ composite c${at} = [e]`),
  "parts of a composite": (count) => lines(count, (at) => `@ composite c = [e${at}]`),
  "older definitions": (count) => lines(count, (at) => `$e${at}:simple\n$l:v${at}=\n- a\n$p:phraselist\n- b`),
  "entities of patterns": (count) => `# I\n${lines(count, (at) => `- [a] {E${at}}\n- [a] {E${at}:r}`)}`,
  "roles of patterns": (count) => `# I\n${lines(count, (at) => `- [a] {E:r${at}}`)}`,
  "labels in a line": (count) => `# I\n- ${"{@e=a} ".repeat(count)}`,
  "children in a line": (count) => `@ ml e\n- @ ml c\n# I\n- ${"{@e={@c=a}} ".repeat(count)}`,
  "levels of labels": (count) => `# I\n- ${`${"{@e=".repeat(8)}a${"}".repeat(8)} `.repeat(count / 8)}`,
  "labels without an end": (count) => `# I\n- ${"{@e=a ".repeat(count)}`,
  "labelled entities": (count) => `# I\n${lines(count, (at) => `- a {@e${at}=x}`)}`,
  "labelled roles": (count) => `# I\n${lines(count, (at) => `- a {@e:r${at}=x}`)}`,
  "labels of patterns": (count) =>
    `${lines(count, (at) => `@ patternany p${at}`)}# I\n${lines(count, (at) => `- a {@p${at}=x}`)}`,
  "open brackets": (count) => `# I\n- ${"[(a|{".repeat(count)}`,
  blanks: (count) => `# I\n- {${" ".repeat(count)}e}${" ".repeat(count)}x`,
  "references to a long target": (count) => `[a]: ${"x".repeat(count)}\n# I\n${"- [b][a]\n".repeat(count)}`,
  "questions and comments": (count) => lines(count, (at) => `# ? q${at}\n> c\n\`\`\`\na\n\`\`\``),
};

describe("twice the text takes twice the time", () => {
  for (const [name, text] of Object.entries(TEXTS))
    it(name, () => {
      const texts = new Map<number, string>();
      const ratio = growthRatio((count) => {
        const source = texts.get(count) ?? text(count);
        texts.set(count, source);
        try {
          readLu(source);
        } catch (error) {
          // A text may be refused, but not by an overflow.
          expect(error).toMatchObject({ kind: { status: 400 } });
        }
      }, SIZE);
      expect(ratio).toBeLessThan(LINEAR_RATIO_MAX);
    });
});

onBothDatabases(
  "imports with too much",
  (instance) => {
    const { ok, send, refused } = authoring(instance);
    const importing = (text: string) =>
      send("POST", "/apps/import?appName=Lu", { body: text, headers: { "content-type": "text/plain" } });

    it("are refused for the levels of entities and the number of roles", async () => {
      const nested = (levels: number) => `@ ml e\n${lines(levels, (at) => `${" ".repeat(at)}- @ ml c${at}`)}`;
      for (const [text, message] of [
        [nested(5), "Entities are nested to 5 levels at the most."],
        [nested(5_000), "Entities are nested to 5 levels at the most."],
        [
          `@ ml e hasRoles ${joined(200_000, (at) => `r${at},`)}x`,
          "There are 10 roles of an entity at the most.",
        ],
      ] as const) {
        const sent = await importing(text);
        expect([sent.status, sent.body.error.message]).toEqual([400, message]);
      }
      const fits = await importing(`${nested(4)}@ ml f hasRoles ${joined(9, (at) => `r${at},`)}r9\n`);
      expect(fits.status, fits.text).toBe(201);
      await ok("DELETE", `/apps/${fits.body}`);
    });

    it("are refused for the children of older entities", async () => {
      const app = (count: number) => ({
        luis_schema_version: "7.0.0",
        name: "Older",
        culture: "en-us",
        hierarchicals: [
          { name: "h", children: Array.from({ length: count }, (_, at) => ({ name: `c${at}` })) },
        ],
        composites: [{ name: "k", children: Array.from({ length: count }, () => ({ name: "h" })) }],
      });
      const { hierarchicals, composites, ...rest } = app(51);
      for (const body of [
        { ...rest, hierarchicals },
        { ...app(50), composites },
      ])
        expect(await refused("POST", "/apps/import", body)).toBe(
          "There are 50 children of an entity at the most.",
        );
      await ok("DELETE", `/apps/${await ok("POST", "/apps/import", app(50))}`);
    });

    it("are refused for the number of entities and of values of a list", async () => {
      const entities = (count: number) => lines(count, (at) => `@ ml e${at}`);
      const values = (count: number) => `@ list l =\n${lines(count, (at) => `- x${at}:`)}`;
      for (const [text, message] of [
        [entities(151), "There are 150 machine-learned entities at the most."],
        [values(20_001), "There are 20000 sub-lists of a list entity at the most."],
      ] as const)
        expect((await importing(text)).body.error.message).toBe(message);
      const fits = await importing(`${entities(150)}${values(20_000)}`);
      expect(fits.status, fits.text).toBe(201);
      await ok("DELETE", `/apps/${fits.body}`);
    });

    it("find a label's parent among many labels", async () => {
      const text = Array.from({ length: 200 }, () => "a").join(" ");
      const label = (entity: string, at: number) => ({ entity, startPos: 2 * at, endPos: 2 * at });
      const body = {
        luis_schema_version: "7.0.0",
        name: "Flat",
        culture: "en-us",
        intents: [{ name: "I" }],
        entities: [
          { name: "other", children: [{ name: "c" }] },
          { name: "e", children: [{ name: "c" }] },
        ],
        utterances: [
          {
            text,
            intent: "I",
            entities: Array.from({ length: 200 }, (_, at) => [label("c", at), label("e", at)]).flat(),
          },
        ],
      };
      const id = await ok("POST", "/apps/import", body);
      const { utterances } = await ok("GET", `/apps/${id}/versions/0.1/export`);
      expect(utterances[0].entities).toHaveLength(200);
      expect(utterances[0].entities[199]).toMatchObject({
        entity: "e",
        children: [{ entity: "c", startPos: 398 }],
      });
      await ok("DELETE", `/apps/${id}`);
    });
  },
  { services: ["language"] },
);
