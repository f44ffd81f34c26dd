/** Documents and expressions by themselves: what is read, what is refused and where, and that hostile ones take no long time. */
import { expect, it } from "vitest";
import { compileExpression } from "./expression.ts";
import {
  compilePolicy,
  effectiveOf,
  Fields,
  LETTERS_PER_CALL_MAX,
  PolicyError,
  type PolicyRun,
  runSteps,
} from "./index.ts";
import { parseMarkup } from "./markup.ts";

const run = {
  work: { lettersLeft: Number.POSITIVE_INFINITY },
  request: { method: "GET", headers: new Fields([["X-User", "ann"]]), matched: { id: "7" } },
  response: { status: 404, headers: new Fields([]) },
  variables: new Map<string, string | number>([["n", 2]]),
} as unknown as PolicyRun;

it.each([
  ['"a" + 1', "a1"],
  ["1 + 2 - 4", -1],
  ['context.Request.Method == "GET" && context.Response.StatusCode >= 400', true],
  ['!(context.Request.Headers.ContainsKey("x-user"))', false],
  ['context.Request.Headers["x-other"] ?? "none"', "none"],
  ['context.Request.MatchedParameters["id"]', "7"],
  ['context.Variables.GetValueOrDefault<int>("n", 1) > 1 ? "many" : "one"', "many"],
  ['(string)context.Response.StatusCode + "!"', "404!"],
  ['context.Request.Headers.GetValueOrDefault("X-User").ToUpper().Substring(1, 2)', "NN"],
  ['"say \\"hi\\"".Length', 8],
  ["-1 < 0", true],
])("%s is %s", (source, value) => {
  expect(compileExpression(source)(run)).toBe(value);
});

it.each([
  "context",
  "context.Request.Body",
  "other.Request.Method",
  "context.constructor",
  "context.Request.Headers.constructor",
  '"a".constructor("b")',
  'context.Variables["a"]["b"]',
  "1 +",
  '"open',
  "a => a",
  "new Date()",
  "context.Request.Method = 1",
  `${"(".repeat(200)}1${")".repeat(200)}`,
])("%s is refused", (source) => {
  expect(() => compileExpression(source)).toThrow(/supported|expected|understood|end|nested/);
});

it("names of every object mean nothing", () => {
  for (const name of ["__proto__", "constructor", "toString"]) {
    expect(compileExpression(`context.Variables["${name}"]`)(run)).toBeNull();
    expect(() => compilePolicy(`<policies><inbound><${name} /></inbound></policies>`, "api")).toThrow(
      PolicyError,
    );
  }
});

it("reads escaped and plain expressions alike", () => {
  const value = (text: string) => parseMarkup(text).attributes.get("v")?.value;
  expect(value(`<a v="@(f("x > 1 && y"))" />`)).toBe('@(f("x > 1 && y"))');
  expect(value(`<a v="@(f(&quot;x &gt; 1&quot;))" />`)).toBe('@(f("x > 1"))');
  expect(value(`<a v='@("it is")' />`)).toBe('@("it is")');
  expect(parseMarkup(`<a>x @("<b>") y<!-- no --><![CDATA[<z>]]></a>`).text).toBe('x @("<b>") y<z>');
});

it.each([
  ["<policies>", 1, 11],
  ["<policies>\n  <inbound>\n    <nothing />\n  </inbound>\n</policies>", 3, 5],
  ["<!DOCTYPE x><policies />", 1, 2],
  ["<policies><inbound a='1' a='2' /></policies>", 1, 26],
])("tells the place in %s", (text, line, column) => {
  let place: unknown;
  try {
    compilePolicy(text, "api");
  } catch (error) {
    place = (error as PolicyError).place;
  }
  expect(place).toEqual({ line, column });
});

it.each([
  "toString",
  "(constructor)context.RequestId",
  "context.Request.Headers.GetValueOrDefault<valueOf>('a')",
])("names that every object has mean nothing: %s", (source) => {
  expect(() => compileExpression(source)).toThrow();
});

it("levels are joined by base", () => {
  const level = (scope: string, text: string) =>
    compilePolicy(`<policies><inbound>${text}</inbound></policies>`, scope);
  const set = "<set-variable name='a' value='b' />";
  const scopesOf = (...levels: Parameters<typeof effectiveOf>[0]) =>
    effectiveOf(levels)?.sections.inbound.map(({ scope }) => scope);
  const general = level("service", set);
  expect(scopesOf(general, level("api", `${set}<base />`))).toEqual(["api", "service"]);
  expect(scopesOf(general, level("api", set))).toEqual(["api"]);
  expect(scopesOf(general, undefined)).toEqual(["service"]);
  expect(scopesOf(undefined, undefined)).toBeUndefined();
});

it("a hostile document costs little", () => {
  const before = process.cpuUsage();
  for (const text of [
    `<a>${"@(".repeat(60_000)}</a>`,
    `<a ${Array.from({ length: 8000 }, (_one, index) => `a${index}="@("`).join(" ")} />`,
    `<a>${'@("'.repeat(40_000)}</a>`,
    "<a>".repeat(40_000),
  ])
    try {
      parseMarkup(text);
    } catch (error) {
      expect(error).toBeInstanceOf(PolicyError);
    }
  expect(process.cpuUsage(before).user / 1e6).toBeLessThan(3);
});

const long = (name: string) => `((string)context.Variables["${name}"])`;
const working = (lettersLeft: number) =>
  ({
    ...run,
    work: { lettersLeft },
    notes: [],
    variables: new Map([
      ["a", "a".repeat(100_000)],
      ["b", "b".repeat(40_000)],
    ]),
  }) as unknown as PolicyRun;

it("a text that is replaced never becomes longer than may remain", () => {
  const resultOf = (source: string) => compileExpression(source)(working(LETTERS_PER_CALL_MAX));
  expect(resultOf(`${long("a")}.Replace("a", ${long("b")})`)).toBe("b".repeat(100_000));
  expect(resultOf('"xaxa".Replace("a", "$&b").Replace("x", "")')).toBe("$&b$&b");
  expect(resultOf('"aaa".Replace("aa", "b")')).toBe("ba");
  expect(resultOf('"aaa".Replace("", "b")')).toBe("aaa");
});

it.each<[string, number]>([
  [`${long("a")}.ToLower()`, 200_000],
  [`${long("a")}.Contains("b") ? "" : ""`, 100_000],
  [`${long("a")}.Replace("a", "")`, 100_000],
  [`${long("b")} + ${long("b")}`, 80_000],
])("%s takes the work of %d letters", (source, letters) => {
  const evaluate = compileExpression(source);
  expect(() => evaluate(working(letters))).not.toThrow();
  expect(() => evaluate(working(letters - 1))).toThrow("too much work");
});

it("a query takes the work of the letters of its names and values", () => {
  const query = new Fields([
    ["ab", "cde"],
    ["f", "g"],
  ]);
  const evaluate = compileExpression("context.Request.OriginalUrl.QueryString");
  const asked = (lettersLeft: number) =>
    ({ ...working(lettersLeft), request: { ...run.request, original: { query } } }) as PolicyRun;
  expect(evaluate(asked(7))).toBe("?ab=cde&f=g");
  expect(() => evaluate(asked(6))).toThrow("too much work");
});

it("ends a call whose expressions together do too much work", async () => {
  const chain = `${long("a")}${'.Replace("a", "b").Replace("b", "a")'.repeat(70)}`;
  const step = `<set-variable name="c" value='@(${chain})' />`;
  const { sections, forward } = compilePolicy(
    `<policies><inbound>${step.repeat(10)}</inbound><backend><retry condition='@(${chain} == "")' count="3"><forward-request /></retry></backend></policies>`,
    "api",
  );
  const made = working(LETTERS_PER_CALL_MAX);
  const before = process.cpuUsage();
  const reply = await runSteps(sections.inbound as never, made, {} as never, "inbound");
  expect(reply?.status).toBe(500);
  expect(reply?.error).toMatchObject({ reason: "ExpressionValueEvaluationFailure", source: "set-variable" });
  expect(forward?.retry?.condition(made)).toBe(false);
  expect(process.cpuUsage(before).user / 1e6).toBeLessThan(2);
});

it("answers by itself with the status, headers and body of return-response", () => {
  const made = { ...run, emptyFields: () => new Fields([]) } as unknown as PolicyRun;
  const answerOf = (elements: string) => {
    const { sections } = compilePolicy(`<policies><inbound>${elements}</inbound></policies>`, "api");
    const [step] = sections.inbound;
    return step === "base" ? undefined : step?.run(made, {} as never, () => {});
  };
  const body =
    '<set-header name="X-A" exists-action="override"><value>1</value></set-header><set-body>no</set-body>';
  expect(answerOf(`<return-response><set-status code="418" reason="t" />${body}</return-response>`)).toEqual({
    status: 418,
    headers: [["X-A", "1"]],
    body: "no",
  });
  expect(answerOf("<return-response />")).toMatchObject({ status: 200, headers: [], body: "" });
  expect(answerOf("<mock-response />")).toMatchObject({ status: 200 });
  expect(answerOf('<mock-response status-code="599" />')).toMatchObject({ status: 599 });
  for (const code of ["199", "600", "many"])
    expect(() => answerOf(`<mock-response status-code="${code}" />`)).toThrow("from 200 to 599");
});
it("needs whole numbers that have no default", () => {
  const limit = (attributes: string) => () =>
    compilePolicy(
      `<policies><inbound><rate-limit-by-key counter-key="a" ${attributes} /></inbound></policies>`,
      "api",
    );
  expect(limit('calls="5" renewal-period="60"')).not.toThrow();
  expect(limit('renewal-period="60"')).toThrow("The attribute 'calls' must be given.");
});
