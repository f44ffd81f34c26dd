/** The expression language in a table: what the public guide shows, and what follows from its rules. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are templates of the expression language.
import { describe, expect, it } from "vitest";
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

type Row = readonly [expression: string, result: string];

/** Word for word what the developer guide says comes out. */
const PUBLISHED: readonly Row[] = [
  ["'my' + 'string'", '"mystring"'],
  ["13 | 5", "13"],
  ["13 & 5", "5"],
  ["13 ^ 5", "8"],
  ["~13", "-14"],
  ["isNull($input.MyInput.a)", "true"],
  ["isUndefined($input.MyInput.a)", "false"],
  ['currentInput("Command")', "true"],
  ['currentInput("Command") && $input.Command.value == "Abort"', "true"],
  ['triggerType("Message")', "true"],
  ['triggerType("Timer")', "false"],
  ['timeout("timer-name")', "true"],
  ['startsWith($input.MyInput.status, "off")', "true"],
  ['endsWith($input.MyInput.status, "line")', "true"],
  ['contains($input.MyInput.status, "fli")', "true"],
  ["bitor($input.MyInput.value1, $input.MyInput.value2)", "13"],
  ["bitand($input.MyInput.value1, $input.MyInput.value2)", "5"],
  ["bitxor($input.MyInput.value1, $input.MyInput.value2)", "8"],
  ["bitnot($input.MyInput.value)", "-14"],
  ["$input.TemperatureInput.temperature", "78.5"],
  ["$input.TemperatureInput.temperatures[2]", "78.8"],
  ["$variable.TechnicianID", '"T-1"'],
  ["$input.MyInput.`_value`", "7"],
  ["$input.PressureInput.sensorData.`motor pressure`", "56"],
  ["$input.PressureInput.`motor id`", '"A32"'],
  ["$input.GreenhouseInput.temperature", "10.01"],
  ["'${$input.GreenhouseInput.temperature * 9 / 5 + 32} in Fahrenheit'", '"50.018 in Fahrenheit"'],
  [
    '\'{\\"sensor_id\\":\\"${$input.GreenhouseInput.sensors[0].sensor1}\\",\\"temperature\\":\\"${$input.GreenhouseInput.temperature*9/5+32}\\"}\'',
    '"{\\"sensor_id\\":\\"Sensor_1\\",\\"temperature\\":\\"50.018\\"}"',
  ],
  [
    "'Greenhouse Temperature Table ' + $input.GreenhouseInput.date",
    '"Greenhouse Temperature Table 2000-01-01"',
  ],
  ["'Sensor ${$variable.SensorID}'", '"Sensor 10"'],
  ["isNull($input.MyInput.status)==false", "true"],
  ["convert(String, true)", '"true"'],
  ["convert(String, false)", '"false"'],
];

const LITERALS: readonly Row[] = [
  ["0", "0"],
  ["42", "42"],
  ["007", "7"],
  ["3.25", "3.25"],
  ["3.0", "3.0"],
  [".5", "0.5"],
  ["1e3", "1000.0"],
  ["2.5e-1", "0.25"],
  ["true", "true"],
  ["false", "false"],
  ["'hello'", '"hello"'],
  ['"hello"', '"hello"'],
  ["''", '""'],
  ["'123'", '"123"'],
  ["'it\\'s'", '"it\'s"'],
  ["'a\\nb'", '"a\\nb"'],
  ["'C:\\\\temp'", '"C:\\\\temp"'],
  ["'\\d stays'", '"\\\\d stays"'],
  ["'say \"so\"'", '"say \\"so\\""'],
  ['"no ${$variable.SensorID} here"', '"no ${$variable.SensorID} here"'],
  ["  7  ", "7"],
  ["\t(\n7\r)", "7"],
];

const ARITHMETIC: readonly Row[] = [
  ["1 + 2", "3"],
  ["1 + 2.0", "3.0"],
  ["1.5 + 1.5", "3.0"],
  ["5 - 7", "-2"],
  ["5 - -7", "12"],
  ["4 * 3", "12"],
  ["4 * 0.5", "2.0"],
  ["6 / 3", "2"],
  ["7 / 2", "4"],
  ["5 / 3", "2"],
  ["4 / 3", "1"],
  ["1 / 3", "0"],
  ["-7 / 2", "-4"],
  ["-1 / 3", "0"],
  ["7 / 2.0", "3.5"],
  ["7.0 / 2", "3.5"],
  ["6.0 / 3", "2.0"],
  ["$input.MyInput.whole / 3", "6.666666666666667"],
  ["$input.MyInput.value / 2", "7"],
  ["$variable.whole / 2", "1.5"],
  ["$variable.SensorID / 4", "3"],
  ["2 + 3 * 4", "14"],
  ["(2 + 3) * 4", "20"],
  ["20 - 5 - 3", "12"],
  ["100 / 5 / 2", "10"],
  ["7 / 2 * 2", "8"],
  ["2 * 7 / 2", "7"],
  ["-3 * -3", "9"],
  ["-(3 + 4)", "-7"],
  ["--5", "5"],
  ["-0", "0"],
  ["-2.0", "-2.0"],
  ["$variable.SensorID + 1", "11"],
  ["$variable.SensorID - 1", "9"],
  ["$variable.half + $variable.half", "1.0"],
];

const BITS: readonly Row[] = [
  ["12 | 3", "15"],
  ["12 & 10", "8"],
  ["12 ^ 10", "6"],
  ["~0", "-1"],
  ["~~5", "5"],
  ["-1 & 255", "255"],
  ["1 | 2 ^ 2 & 3", "1"],
  ["1 + 1 | 4", "6"],
  ["$input.MyInput.big | 1", "1099511627777"],
  ["$input.MyInput.big & $input.MyInput.big", "1099511627776"],
  ["bitnot(0)", "-1"],
  ["bitnot($input.MyInput.big)", "-1099511627777"],
  ["bitor(1.5, 2)", "undefined"],
  ["bitand('1', 2)", "undefined"],
  ["bitxor(true, 2)", "undefined"],
  ["bitnot($input.MyInput.whole)", "undefined"],
];

const COMPARISONS: readonly Row[] = [
  ["1 < 2", "true"],
  ["2 < 2", "false"],
  ["2 <= 2", "true"],
  ["3 > 2", "true"],
  ["2 >= 3", "false"],
  ["2 == 2.0", "true"],
  ["2 != 2.0", "false"],
  ["2.5 > 2", "true"],
  ["$input.MyInput.whole == 20", "true"],
  ["'a' == 'a'", "true"],
  ["'a' == \"a\"", "true"],
  ["'a' != 'b'", "true"],
  ["'a' < 'b'", "true"],
  ["'b' >= 'a'", "true"],
  ["true == true", "true"],
  ["true != false", "true"],
  ["$variable.on == true", "true"],
  ["1 + 1 == 2", "true"],
  ["$variable.SensorID + 1 == 11 && $variable.on", "true"],
  ["1 < 2 == true", "true"],
];

const LOGIC: readonly Row[] = [
  ["true && true", "true"],
  ["true && false", "false"],
  ["false && true", "false"],
  ["true || false", "true"],
  ["false || false", "false"],
  ["!true", "false"],
  ["!!true", "true"],
  ["!$variable.on", "false"],
  ["!(1 > 2)", "true"],
  ["true || false && false", "true"],
  ["(true || false) && false", "false"],
  ["false && 1", "false"],
  ["true || 1", "true"],
  ["1 > 0 && 2 > 1 && 3 > 2", "true"],
];

const UNDEFINED: readonly Row[] = [
  ["$input.MyInput.nothing", "undefined"],
  ["$input.Unheard.value", "undefined"],
  ["$variable.never", "undefined"],
  ["$input.TemperatureInput.temperatures[3]", "undefined"],
  ["$input.MyInput.status.deeper", "undefined"],
  ["$input.MyInput.deep[0]", "undefined"],
  ["$input.MyInput.nothing > 1 || true", "true"],
  ["true || $input.MyInput.nothing > 1", "true"],
  ["$input.MyInput.nothing > 1 || false", "false"],
  ["false || $input.MyInput.nothing > 1", "false"],
  ["$input.MyInput.nothing || $input.Unheard.x", "false"],
  ["$input.MyInput.nothing || true", "true"],
  ["$input.MyInput.a || true", "true"],
  ["$input.MyInput.nothing && true", "undefined"],
  ["$input.MyInput.nothing && false", "undefined"],
  ["true && $input.MyInput.nothing", "undefined"],
  ["false && $input.MyInput.nothing", "false"],
  ["!$input.MyInput.nothing", "undefined"],
  ["-$input.MyInput.nothing", "undefined"],
  ["$input.MyInput.nothing + 1", "undefined"],
  ["$input.MyInput.a + 1", "undefined"],
  ["$input.MyInput.nothing == 1", "undefined"],
  ["$input.MyInput.nothing | 1", "undefined"],
  ["'now ${$input.MyInput.nothing}'", "undefined"],
  ["isUndefined($input.MyInput.nothing)", "true"],
  ["isUndefined($input.MyInput.status)", "false"],
  ["isUndefined($variable.never)", "true"],
  ["isUndefined($input.MyInput.nothing + 1)", "true"],
  ["isNull($input.MyInput.nothing)", "false"],
  ["isNull($input.MyInput.value)", "false"],
  ["isUndefined($input.MyInput.deep)", "false"],
  ["isNull($input.MyInput.deep)", "false"],
];

const FUNCTIONS: readonly Row[] = [
  ["convert(String, 12.5)", '"12.5"'],
  ["convert(String, 3.0)", '"3.0"'],
  ["convert(String, 12)", '"12"'],
  ["convert(Decimal, '12.5')", "12.5"],
  ["convert(Decimal, '12')", "12.0"],
  ["convert(Decimal, '-4e2')", "-400.0"],
  ["convert(Decimal, '5') / 2", "2.5"],
  ["convert(Decimal, $input.MyInput.text) / 2", "6.5"],
  ["convert(Boolean, 'true')", "true"],
  ["convert(Boolean, 'false')", "false"],
  ["convert('Decimal', '1')", "1.0"],
  ["convert(Decimal, 'twelve')", "undefined"],
  ["convert(Decimal, '')", "undefined"],
  ["convert(Decimal, '1 2')", "undefined"],
  ["convert(Decimal, true)", "undefined"],
  ["convert(Boolean, 'yes')", "undefined"],
  ["convert(Boolean, 1)", "undefined"],
  ["convert(String, 'text')", "undefined"],
  ["convert(Decimal, 'twelve') > 3 || true", "true"],
  ["convert(Decimal, $input.MyInput.nothing)", "undefined"],
  ["startsWith('abc', 'b')", "false"],
  ["startsWith('abc', '')", "true"],
  ["startsWith(5, '5')", "undefined"],
  ["endsWith('abc', 'bc')", "true"],
  ["endsWith('abc', 5)", "undefined"],
  ["contains('abc', 'd')", "false"],
  ["contains($input.MyInput.nothing, 'd')", "undefined"],
  ['timeout("other")', "false"],
  ['!timeout("other")', "true"],
  ["timeout('timer-' + 'name')", "true"],
  ['currentInput("MyInput")', "false"],
  ['triggerType("MESSAGE")', "true"],
  ["startsWith('on' + 'line', 'on') && contains('x' + 'y', 'xy')", "true"],
];

const TEMPLATES: readonly Row[] = [
  ["'${1 + 2}'", '"3"'],
  ["'${true}'", '"true"'],
  ["'${1.0}'", '"1.0"'],
  ["'a${1}b${2}c'", '"a1b2c"'],
  ["'${'in' + 'side'}'", '"inside"'],
  ["'${'${$variable.SensorID}!'}?'", '"10!?"'],
  ["'${ $variable.SensorID }'", '"10"'],
  ["'${convert(String, $variable.on)}'", '"true"'],
  ["'$ {1}'", '"$ {1}"'],
  ["'\\${1}'", '"${1}"'],
  ["'{\"t\": ${$input.TemperatureInput.temperature}}'", '"{\\"t\\": 78.5}"'],
  ["'${$input.MyInput.deep.b[1][0]}'", '"3"'],
];

const TABLE: Readonly<Record<string, readonly Row[]>> = {
  "as the guide shows": PUBLISHED,
  literals: LITERALS,
  arithmetic: ARITHMETIC,
  bits: BITS,
  comparisons: COMPARISONS,
  "truths together": LOGIC,
  "data that isn't there": UNDEFINED,
  functions: FUNCTIONS,
  templates: TEMPLATES,
};

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
