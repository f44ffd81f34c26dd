/** The expression language in a table: what the public guide shows, and what follows from its rules. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are templates of the expression language.
import { describe, expect, it } from "vitest";
import { TABLE } from "../../../../../tests/support/event-expressions.ts";
import { EvaluationError, ExpressionFault } from "../faults.ts";
import { keptValueAt, parsePayload } from "../payload.ts";
import { jsonOf, type Scalar, typeOf, type Value } from "../values.ts";
import { compileExpression, type Frame } from "./compile.ts";
import { parseExpression, parseTextOrExpression } from "./parser.ts";
import { pathText } from "./scanner.ts";
import { partsOf } from "./syntax.ts";

const payloads: Readonly<Record<string, unknown>> = {
  GreenhouseInput: parsePayload(
    '{"temperature": 10.01, "date": "2000-01-01", "name": "G1", "sensors": [{"sensor1": "Sensor_1"}]}',
  ),
  TemperatureInput: parsePayload('{"temperatures": [78.4, 77.9, 78.8], "temperature": 78.5}'),
  MyInput: parsePayload(
    '{"a": null, "status": "offline", "value1": 13, "value2": 5, "value": 13, "_value": 7, "whole": 20.0, "flag": true, "zero": 0, "text": "13", "deep": {"b": [[1, 2], [3, 4]]}, "big": 1099511627776}',
  ),
  Command: { value: "Abort" },
  PressureInput: { "motor id": "A32", sensorData: { "motor pressure": 56 } },
};

function evaluate(text: string, changes: Partial<Frame> = {}, parse = parseExpression): Value {
  const expression = parse(text);
  const inputs: Frame["inputs"] = {};
  for (const part of partsOf(expression))
    if (part.kind === "input") {
      const value = keptValueAt(payloads[part.name], part.path);
      const key = pathText(part.path);
      if (value !== undefined) inputs[part.name] = { ...inputs[part.name], [key]: value };
    }
  return compileExpression(expression)({
    inputs,
    variables: { SensorID: 10, TechnicianID: "T-1", whole: { decimal: 3 }, half: 0.5, on: true },
    currentInput: "Command",
    takeTimeout: (name) => name === "timer-name",
    ...changes,
  });
}

/** As JSON, so that 20.0 and 20 differ. */
const told = (value: Value): string =>
  value === undefined || value === null ? String(value) : jsonOf(value as Scalar);

describe.each(Object.entries(TABLE))("%s", (_, rows) => {
  it.each(rows)("%s → %s", (expression, result) => {
    expect(told(evaluate(expression))).toBe(result);
  });
});
it("has more than 150 rows, no two alike", () => {
  const all = Object.values(TABLE)
    .flat()
    .map(([expression]) => expression);
  expect(new Set(all).size).toBe(all.length);
  expect(all.length).toBeGreaterThanOrEqual(200);
});

describe("types that don't go together", () => {
  it.each([
    ["1 + 'a'", '"+" can\'t be used with Integer and String'],
    ["'a' + 1.5", '"+" can\'t be used with String and Decimal'],
    ["true + false", '"+" can\'t be used with Boolean and Boolean'],
    ["'a' - 'b'", '"-" can\'t be used with String and String'],
    ["1 == 'a'", '"==" can\'t be used with Integer and String'],
    ["1 == true", '"==" can\'t be used with Integer and Boolean'],
    ["1.5 == true", '"==" can\'t be used with Decimal and Boolean'],
    ["'a' == true", '"==" can\'t be used with String and Boolean'],
    ["1.5 < 'a'", '"<" can\'t be used with Decimal and String'],
    ["true < false", '"<" can\'t be used with Boolean and Boolean'],
    ["1 && true", '"&&" can\'t be used with Integer'],
    ["'a' || true", '"||" can\'t be used with String'],
    ["false || 1", '"||" can\'t be used with Integer'],
    ["!1", '"!" can\'t be used with Integer'],
    ["~1.5", '"~" can\'t be used with Decimal'],
    ["~true", '"~" can\'t be used with Boolean'],
    ["-'a'", '"-" can\'t be used with String'],
    ["1.5 | 1", '"|" can\'t be used with Decimal and Integer'],
    ["true & 1", '"&" can\'t be used with Boolean and Integer'],
    ["$input.MyInput.deep + 1", '"+" can\'t be used with Object and Integer'],
    ["'${$input.MyInput.deep}'", "object"],
    ["1 / 0", "zero"],
    ["1.0 / 0", "zero"],
    ["1e308 * 10", "too large"],
    ["timeout(5)", '"timeout" takes a text'],
    ["triggerType('Clock')", "Message"],
    ["convert('Integer', '5')", "String, Boolean or Decimal"],
  ])("%s", (expression, message) => {
    expect(() => evaluate(expression)).toThrow(EvaluationError);
    expect(() => evaluate(expression)).toThrow(message);
  });
  it("texts have a bound", () => {
    const long = "x".repeat(6000);
    expect(() => evaluate("$variable.a + $variable.a", { variables: { a: long } })).toThrow("10240");
    expect(() => evaluate("'${$variable.a}${$variable.a}'", { variables: { a: long } })).toThrow("10240");
  });
});

describe("what can't be read says where", () => {
  it.each<[string, number]>([
    ["", 1],
    ["   ", 4],
    ["1 +", 4],
    ["1 2", 3],
    ["(1", 3],
    ["1)", 2],
    ["hello", 1],
    ["hello('x')", 1],
    ["1 + hello", 5],
    ["'open", 1],
    ['1 + "open', 5],
    ["'${1 + }'", 8],
    ["'${1'", 5],
    ["$other.x", 1],
    ["$input", 7],
    ["$input.", 8],
    ["$input.A", 1],
    ["$input.A.9", 10],
    ["$input.A.`x", 10],
    ["$input.A.``", 10],
    ["$input.A.b[x]", 12],
    ["$input.A.b[1", 13],
    ["$variable.", 11],
    ["$variable.a.b", 12],
    ["timeout()", 1],
    ["1 + timeout('a', 'b')", 5],
    ["convert(Decimal)", 1],
    ["isNull(1,)", 10],
    ["1 = 1", 3],
    ["1 === 1", 5],
    ["1 % 2", 3],
    ["12abc", 3],
    ["1e999", 1],
    ["null", 1],
    ["a.b", 1],
  ])("%j at column %d", (expression, column) => {
    const attempt = () => parseExpression(expression);
    expect(attempt).toThrow(ExpressionFault);
    expect(attempt).toThrow(expect.objectContaining({ column }));
  });
  it.each([
    ["parentheses", `${"(".repeat(5000)}1`],
    ["signs", `${"-".repeat(4000)}1`],
    ["nested templates", "'${".repeat(1000)],
    ["negations", `${"!".repeat(4000)}true`],
    ["length", `1${" + 1".repeat(2000)}`],
  ])("%s have a bound", (_, expression) => {
    expect(() => parseExpression(expression)).toThrow(ExpressionFault);
  });
  it("a long chain is no deep one", () => {
    expect(evaluate(`1${" + 1".repeat(1000)}`)).toBe(1001);
  });
});

describe("where plain text is allowed too", () => {
  it.each([
    ["hvac/Heating/On", "hvac/Heating/On"],
    ["sensors/${$variable.SensorID}/state", "sensors/10/state"],
    ["'quoted/' + $variable.TechnicianID", "quoted/T-1"],
    ["$variable.TechnicianID", "T-1"],
    ["$input.GreenhouseInput.name", "G1"],
    ["${$variable.TechnicianID}", "T-1"],
  ])("%s → %s", (text, result) => {
    expect(evaluate(text, {}, parseTextOrExpression)).toBe(result);
  });
  it.each(["'open", "$input.x", "a/${1 +}"])("%s is a mistake", (text) => {
    expect(() => parseTextOrExpression(text)).toThrow(ExpressionFault);
  });
});

describe("payloads", () => {
  it.each([
    ["20", "Integer"],
    ["20.0", "Decimal"],
    ["2e1", "Decimal"],
    ["-0.0", "Decimal"],
    ["20.5", "Decimal"],
    ['"20.0"', "String"],
    ["true", "Boolean"],
    ["null", "Null"],
    ["[1.0]", "Object"],
    ["{}", "Object"],
  ])("%s is %s", (json, type) => {
    expect(typeOf(keptValueAt(parsePayload(`{"x": ${json}}`), ["x"]))).toBe(type);
  });
  it("leaves texts alone, whatever they look like", () => {
    const text = '{"a\\"1.0": "1.0, 2e1 \\\\", "b": [1.0, "3.0"], "1.0": 4}';
    expect(JSON.parse(JSON.stringify(parsePayload(text)))).toEqual({
      'a"1.0': "1.0, 2e1 \\",
      b: [{ decimal: 1 }, "3.0"],
      "1.0": 4,
    });
  });
  it.each(["", "{", "01.0", '{"a": 1.}', '{"a": .0}', "nope"])("%j is no JSON", (text) => {
    expect(() => parsePayload(text)).toThrow(SyntaxError);
  });
  it("shows nothing that the message doesn't hold itself", () => {
    for (const path of [["constructor"], ["__proto__"], ["a", "length"], ["b", "length"]])
      expect(keptValueAt(parsePayload('{"a": "text", "b": [1]}'), path)).toBeUndefined();
  });
});
