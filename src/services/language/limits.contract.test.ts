/** How much a version has of each kind: the last that fits, and the first that does not, in files and one by one. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { authoring } from "../../../tests/support/language.ts";
import { type Instance, startInstance } from "../../../tests/support/medley.ts";

let instance: Instance;
const { ok, refused, send } = authoring(() => instance);
beforeAll(async () => {
  instance = await startInstance({ services: ["language"] });
});
afterAll(() => instance.stop());

const APP = { luis_schema_version: "7.0.0", name: "Full", culture: "en-us", versionId: "0.1" };
const many = <T>(count: number, one: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => one(at));
const named = (at: number) => ({ name: `n${at}` });
const longer = (text: string, length: number) => text.padEnd(length, "x");

type Members = Readonly<Record<string, unknown>>;
/** What does not fit is refused in a file; what just fits is taken, and no more is taken then. */
const counted: readonly (readonly [
  name: string,
  most: number,
  members: (count: number) => Members,
  path: string,
  more: unknown,
])[] = [
  // Each version has the intent None, too.
  ["intents", 500, (count) => ({ intents: many(count - 1, named) }), "intents", { name: "more" }],
  [
    "machine-learned entities",
    150,
    (count) => ({ entities: many(count, named) }),
    "entities",
    { name: "more" },
  ],
  [
    "list entities",
    50,
    (count) => ({ closedLists: many(count, (at) => ({ name: `n${at}`, subLists: [] })) }),
    "closedlists",
    { name: "more", subLists: [] },
  ],
  [
    "regular-expression entities",
    20,
    (count) => ({ regex_entities: many(count, (at) => ({ name: `n${at}`, regexPattern: "a" })) }),
    "regexentities",
    { name: "more", regexPattern: "a" },
  ],
  [
    "Pattern.Any entities",
    100,
    (count) => ({ patternAnyEntities: many(count, (at) => ({ name: `n${at}`, explicitList: [] })) }),
    "patternanyentities",
    { name: "more" },
  ],
  [
    "phrase lists",
    500,
    (count) => ({
      phraselists: many(count, (at) => ({ name: `n${at}`, mode: true, words: "a", activated: true })),
    }),
    "phraselists",
    { name: "more", phrases: "a" },
  ],
  [
    "patterns",
    500,
    (count) => ({ patterns: many(count, (at) => ({ pattern: `go ${at}`, intent: "None" })) }),
    "patternrule",
    { pattern: "go on", intent: "None" },
  ],
  [
    "utterances in a version",
    15_000,
    (count) => ({ utterances: many(count, (at) => ({ text: `go ${at}`, intent: "None", entities: [] })) }),
    "example",
    { text: "go on", intentName: "None" },
  ],
];
describe("a version has", () => {
  it.each(counted)("%s: %i", async (name, most, members, path, more) => {
    const message = `There are ${most} ${name} at the most.`;
    expect(await refused("POST", "/apps/import", { ...APP, ...members(most + 1) })).toBe(message);
    const id = await ok("POST", "/apps/import", { ...APP, ...members(most) });
    expect(await refused("POST", `/apps/${id}/versions/0.1/${path}`, more)).toBe(message);
    await ok("DELETE", `/apps/${id}`);
  });

  const lists = (count: number) => ({
    phraselists: many(count, (at) => ({ name: `p${at}`, mode: true, activated: true, words: "a" })),
  });
  /** The last one twice, which counts once. */
  const featured = (count: number) => [
    { name: "f", features: many(count + 1, (at) => ({ featureName: `p${Math.min(at, count - 1)}` })) },
  ];
  const inside: readonly (readonly [name: string, most: number, members: (count: number) => Members])[] = [
    [
      "roles of an entity",
      10,
      (count) => ({ entities: [{ name: "e", roles: many(count, (at) => `r${at}`) }] }),
    ],
    ["children of an entity", 50, (count) => ({ entities: [{ name: "e", children: many(count, named) }] })],
    ...(["intents", "entities"] as const).map(
      (kind) =>
        [
          "features of a model",
          50,
          (count: number) => ({ [kind]: featured(count), ...lists(count) }),
        ] as const,
    ),
    [
      "features of a model",
      50,
      (count) => ({ entities: [{ name: "e", children: featured(count) }], ...lists(count) }),
    ],
    [
      "items of an explicit list",
      5000,
      (count) => ({ patternAnyEntities: [{ name: "e", explicitList: many(count, (at) => `i${at}`) }] }),
    ],
    [
      "phrases in a phrase list",
      5000,
      (count) => ({
        phraselists: [
          { name: "p", mode: true, activated: true, words: many(count, (at) => `w${at}`).join(",") },
        ],
      }),
    ],
  ];
  it.each(inside)("%s: %i", async (name, most, members) => {
    const message = `There are ${most} ${name} at the most.`;
    expect(await refused("POST", "/apps/import", { ...APP, ...members(most + 1) })).toBe(message);
    await ok("DELETE", `/apps/${await ok("POST", "/apps/import", { ...APP, ...members(most) })}`);
  });

  const spelt: readonly (readonly [what: string, most: number, members: (text: string) => Members])[] = [
    ["name of the intent", 100, (text) => ({ intents: [{ name: text }] })],
    [
      "value of a list",
      500,
      (text) => ({ closedLists: [{ name: "l", subLists: [{ canonicalForm: text, list: [] }] }] }),
    ],
    ["regular expression", 500, (text) => ({ regex_entities: [{ name: "e", regexPattern: text }] })],
    ["pattern", 400, (text) => ({ patterns: [{ pattern: text, intent: "None" }] })],
    ["utterance", 500, (text) => ({ utterances: [{ text, intent: "None", entities: [] }] })],
  ];
  it.each(spelt)("a %s of %i characters", async (what, most, members) => {
    const refusal = await refused("POST", "/apps/import", { ...APP, ...members(longer("x", most + 1)) });
    expect(refusal).toBe(`The ${what} has more than ${most} characters.`);
    await ok(
      "DELETE",
      `/apps/${await ok("POST", "/apps/import", { ...APP, ...members(longer("x", most)) })}`,
    );
  });
});

it("an application has 2,000 characters of description", async () => {
  const id = await ok("POST", "/apps/", { name: "Described", culture: "en-us" });
  await ok("PUT", `/apps/${id}`, { description: "d".repeat(2000) });
  expect(await refused("PUT", `/apps/${id}`, { description: "d".repeat(2001) })).toMatch(/2000/);
  await ok("DELETE", `/apps/${id}`);
});

it("a model has 50 features, also where they are added one by one or replaced", async () => {
  const phraselists = many(51, (at) => ({ name: `p${at}`, mode: true, activated: true, words: "a" }));
  const id = await ok("POST", "/apps/import", { ...APP, phraselists, intents: [{ name: "i" }] });
  const intents = await ok("GET", `/apps/${id}/versions/0.1/intents`);
  const intent = intents.find((one: { name: string }) => one.name === "i").id;
  const path = `/apps/${id}/versions/0.1/intents/${intent}/features`;
  const features = many(51, (at) => ({ featureName: `p${at}` }));
  const message = "There are 50 features of a model at the most.";
  expect(await refused("PUT", path, features)).toBe(message);
  await ok("PUT", path, features.slice(0, 49));
  await ok("POST", path, features[49]);
  expect(await refused("POST", path, features[50])).toBe(message);
  await ok("DELETE", `/apps/${id}`);
});

it("twenty lines are named that refer to other files", async () => {
  const told = async (count: number) => {
    const { status, headers, body } = await send("POST", "/apps/import?appName=Lu", {
      body: `${"[a](./other.lu)\n".repeat(count)}# I\n- a\n`,
      headers: { "content-type": "text/plain" },
    });
    expect(status).toBe(201);
    await ok("DELETE", `/apps/${body}`);
    return /lines (.*)"$/.exec(headers.get("warning") ?? "")?.[1];
  };
  const lines = many(20, (at) => at + 1).join(", ");
  expect([await told(20), await told(21)]).toEqual([lines, `${lines} and 1 more`]);
});

it("an application has 100 versions, and an account 500 applications", async () => {
  const id = await ok("POST", "/apps/", { name: "First", culture: "en-us" });
  const clone = `/apps/${id}/versions/0.1/clone`;
  for (let version = 1; version < 100; version += 1) await ok("POST", clone, { version: `1.${version}` });
  expect(await refused("POST", clone, { version: "2.0" })).toBe(
    "There are 100 versions of an application at the most.",
  );
  for (let app = 1; app < 500; app += 1) await ok("POST", "/apps/", { name: `App ${app}`, culture: "en-us" });
  const message = "There are 500 applications in an account at the most.";
  expect(await refused("POST", "/apps/", { name: "More", culture: "en-us" })).toBe(message);
  expect(await refused("POST", "/apps/import", { ...APP, name: "More" })).toBe(message);
});
