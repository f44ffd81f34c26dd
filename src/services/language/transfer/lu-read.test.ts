/** `.lu` files as people have them: the older notation, what is declared by being used, and references to other files. */
import { expect, it } from "vitest";
import { checkRegex } from "../learning/index.ts";
import { appFromLu } from "./lu-read.ts";
import { withReferences } from "./lu-references.ts";

const names = (models: readonly { name?: string | null }[] | null | undefined) =>
  models?.map(({ name }) => name);

it("reads the older notation", () => {
  const app = appFromLu(`
$City:simple Roles=from, to
$PREBUILT:number Roles=count
$Length:dimension
$Answer:yes=
- y, yep
- sure
$Answer:no=
- n
$Trip:[City, number]
$Code:/[a-z]{3}/
$Foods:phraseList interchangeable
- soup, bread
$app:qna-alterations=
- a
$question:Whatever
# Go
- go {City:from=Oslo} {number:count=2}
`);
  expect(names(app.entities)).toEqual(["City"]);
  expect(app.prebuiltEntities).toEqual([
    { name: "number", roles: ["count"] },
    { name: "dimension", roles: [] },
  ]);
  expect(app.closedLists).toEqual([
    {
      name: "Answer",
      roles: [],
      subLists: [
        { canonicalForm: "yes", list: ["y", "yep", "sure"] },
        { canonicalForm: "no", list: ["n"] },
      ],
    },
  ]);
  expect(app.composites?.[0]).toMatchObject({
    name: "Trip",
    children: [{ name: "City" }, { name: "number" }],
  });
  expect(app.regex_entities?.[0]).toMatchObject({ name: "Code", regexPattern: "[a-z]{3}" });
  expect(app.model_features?.[0]).toMatchObject({ name: "Foods", mode: true, words: "soup, bread" });
  expect(app.utterances?.[0]?.entities).toMatchObject([
    { entity: "City", role: "from" },
    { entity: "number", role: "count" },
  ]);
});
it("declares what is used: entities of patterns, roles, and entities that are labelled inside others", () => {
  const app = appFromLu(`
@ prebuilt number
@ patternany title
# Go
- find {thing:kind} [please]
- {number:seats=2} seats
- read {title=Dune}
- {@x=a {@y=b}}
- an {z=open}]
`);
  expect(app.patternAnyEntities).toEqual([{ name: "thing", roles: ["kind"], explicitList: [] }]);
  expect(app.prebuiltEntities).toEqual([{ name: "number", roles: ["seats"] }]);
  expect(names(app.entities)?.sort()).toEqual(["title", "x", "y", "z"]);
  expect(app.utterances?.find(({ text }) => text === "a b")?.entities?.map(({ entity }) => entity)).toEqual([
    "x",
    "y",
  ]);
  expect(app.utterances?.some(({ text }) => text === "an open]")).toBe(true);
});
it("leaves questions and answers of another service out, and keeps a text with the first intent that has it", () => {
  const app = appFromLu(`
# ? how are you
- and you?
\`\`\`markdown
Fine.
# No intent
\`\`\`
# Stop
- end
# Quit
- end
- End
`);
  expect(names(app.intents)).toEqual(["Stop", "Quit"]);
  expect(app.utterances?.map(({ text, intent }) => [intent, text])).toEqual([
    ["Stop", "end"],
    ["Quit", "End"],
  ]);
});
it("refuses references with a clear word, and the command follows them", async () => {
  const text = "[all](./all.lu)\n# Mine\n- [some](all.lu#Theirs*utterances*)\n- own\n";
  expect(() => appFromLu(text)).toThrow("Line 1: this refers to another file");
  expect(() => appFromLu("# A\n- [more](./other.lu#X)")).toThrow("Line 2: this refers to another file");
  const other = "[back](./mine.lu)\n# Theirs\n- theirs\n- a [pattern]\n@ ml Thing\n";
  const read = async (target: string) =>
    target.endsWith("all.lu") ? { path: "/all.lu", text: other } : { path: "/mine.lu", text };
  const app = appFromLu(await withReferences("/mine.lu", text, read));
  expect(app.utterances?.map(({ text: said, intent }) => [intent, said])).toEqual([
    ["Mine", "theirs"],
    ["Mine", "own"],
  ]);
  expect([names(app.intents), names(app.entities)]).toEqual([["Mine", "Theirs"], ["Thing"]]);
  await expect(withReferences("/mine.lu", text, async () => undefined)).rejects.toThrow("There is no file");
});
it("takes characters by their number in expressions", () => {
  expect(checkRegex("[\\u00e0-\\u00ff]+")).toBeUndefined();
  expect(checkRegex("\\\\u12")).toBeUndefined();
});
