/** Real-world `.lu` files: the older notation, declarations by use, and references to other files. */
import { expect, it } from "vitest";
import { checkRegex } from "../learning/index.ts";
import type { JsonLabel } from "./app-json.ts";
import { appFromLu, readLu } from "./lu-read.ts";
import { joinedLu } from "./lu-references.ts";

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
it("leaves references out, tells their lines, and follows them where the other files are given", async () => {
  const text =
    "[all](./all.lu)\n# Mine\n- [some](all.lu#Theirs*utterances*)\n- own\n- [named][1]\n[1]: all.lu#Theirs\n";
  const alone = readLu(text);
  expect([alone.leftOut, alone.app.utterances?.map(({ text: said }) => said)]).toEqual([[1, 3, 5], ["own"]]);
  const optional = readLu("# A\n- [please][now]\n");
  expect([optional.leftOut, optional.app.patterns?.length]).toEqual([[], 1]);
  const files = [
    { path: "/mine.lu", text },
    {
      path: "/all.lu",
      text: "[back](./mine.lu)\n[every](./more/**)\n# Theirs\n- theirs\n- a [pattern]\n@ ml Thing\n",
    },
    { path: "/more/more.lu", text: "# More\n- more\n" },
  ];
  const read = async (target: string) =>
    target.endsWith("**")
      ? files.slice(2)
      : files.filter(({ path }) => path === `/${target.replace("./", "")}`);
  const app = appFromLu(await joinedLu(files, read));
  expect(app.utterances?.map(({ text: said, intent }) => [intent, said])).toEqual([
    ["Mine", "theirs"],
    ["Mine", "own"],
    ["Mine", "theirs"],
    ["More", "more"],
  ]);
  expect(app.patterns?.map(({ intent }) => intent)).toEqual(["Mine", "Theirs"]);
  expect([names(app.intents), names(app.entities)]).toEqual([["Mine", "Theirs", "More"], ["Thing"]]);
  await expect(joinedLu(files.slice(0, 1), async () => [])).rejects.toThrow("There is no file ./all.lu");
});
it("adds to what is declared above: values, children, roles, and prebuilt entities that are declared nowhere", () => {
  const { app } = readLu(`
@ list Size
@ Size =
- large :
    - big
@ list Size hasRoles wanted =
- large :
    - huge
- small :
@ regex Code
@ Code = /[a-z]{3}/
@ ml Order
@ Order =
    - @ ml Part
@ composite Pair
@ Pair = [Order, number]
@ number amount
@ phraselist Words
@ Words =
- one, two
`);
  expect(app.closedLists).toMatchObject([
    {
      roles: ["wanted"],
      subLists: [
        { canonicalForm: "large", list: ["big", "huge"] },
        { canonicalForm: "small", list: [] },
      ],
    },
  ]);
  expect(app.regex_entities).toMatchObject([{ regexPattern: "[a-z]{3}" }]);
  expect(app.entities).toMatchObject([{ children: [{ name: "Part" }] }]);
  expect(app.composites).toMatchObject([{ children: [{ name: "Order" }, { name: "number" }] }]);
  expect(app.prebuiltEntities).toEqual([{ name: "number", roles: ["amount"] }]);
  expect(app.phraselists).toMatchObject([{ words: "one, two" }]);
});
it("puts labels of children below their parents, in whatever order they are written", () => {
  const { app } = readLu(`
@ ml Order
    - @ ml Pizza
        - @ ml Size
@ ml Place
# I
- take {@Pizza={@Order=one {@Size=big}}}
- take {@Order=one {@Place=to {@Pizza=go}}}
- take {@Order=the {@Size=small}}
- take {@Order=this {@Order=other}}
`);
  const shown = (labels: JsonLabel[] | null | undefined): unknown =>
    labels?.map(({ entity, startPos, endPos, children }) =>
      children?.length ? [entity, startPos, endPos, shown(children)] : [entity, startPos, endPos],
    );
  expect(app.utterances?.map(({ entities }) => shown(entities))).toEqual([
    [["Order", 5, 11, [["Pizza", 5, 11, [["Size", 9, 11]]]]]],
    [
      ["Order", 5, 13, [["Pizza", 12, 13]]],
      ["Place", 9, 13],
    ],
    [["Order", 5, 13]],
    [["Order", 10, 14]],
  ]);
});
it("keeps blanks before a closing brace, and takes braces that do not belong together as text", () => {
  const { app } = readLu("# I\n- a {@x=b }c\n- half {@open\n- and } back\n");
  expect(app.utterances).toMatchObject([
    { text: "a b c", entities: [{ entity: "x", startPos: 2, endPos: 2 }] },
    { text: "half {@open", entities: [] },
    { text: "and } back", entities: [] },
  ]);
  expect(() => readLu("# I\n- a {@x} and {@y=b}")).toThrow("Line 2: of entities all are labelled");
});
it("knows sections, merged or apart, a required feature inside quotes, and patterns that name a role", () => {
  const said = "> !# @enableSections = true\n# A\n## B\n- b\n## C\n- c\n";
  const of = (text: string) => readLu(text).app.utterances?.map(({ text: one, intent }) => [intent, one]);
  expect(of(said)).toEqual([
    ["A", "b"],
    ["A", "c"],
  ]);
  expect(of(`> !# @enableMergeIntents = false\n${said}`)).toEqual([
    ["A.B", "b"],
    ["A.C", "c"],
  ]);
  const { app } = readLu('@ ml "a b" hasRoles r\n@ ml c usesFeatures "a b*"\n# I\n- see {r}\n');
  expect(app.entities?.[1]?.features).toEqual([{ featureName: "a b", isRequired: true }]);
  expect(names(app.patternAnyEntities)).toEqual(["r"]);
});
it("takes characters by their number in expressions", () => {
  expect(checkRegex("[\\u00e0-\\u00ff]+")).toBeUndefined();
  expect(checkRegex("\\\\u12")).toBeUndefined();
});

it("texts have 400,000 lines at the most", () => {
  expect(readLu("\n".repeat(399_999)).app.utterances).toEqual([]);
  expect(() => readLu("\n".repeat(400_000))).toThrow("400000 lines at the most");
});

it("labels are nested to 8 levels at the most", () => {
  const nested = (levels: number) => `# I\n- ${"{@e=".repeat(levels)}x${"}".repeat(levels)}`;
  expect(readLu(nested(8)).app.utterances).toMatchObject([{ text: "x" }]);
  expect(() => readLu(nested(9))).toThrow("Line 2: labels are nested too deeply");
});

it("200 files refer to each other at the most", async () => {
  const chain = (count: number) =>
    joinedLu([{ path: "0", text: "[next](1)" }], async (target) => [
      { path: target, text: Number(target) + 1 < count ? `[next](${Number(target) + 1})` : "# Last" },
    ]);
  expect(await chain(200)).toContain("# Last");
  await expect(chain(201)).rejects.toThrow("More than 200 files");
});
