/** Whatever is written into models and messages: it is refused in words or evaluated, and nothing else happens. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are templates of the expression language.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { analyseDetectorModel } from "./analysis/analyse.ts";
import type { Action, DetectorModelDefinition, KnownInputs } from "./definition.ts";
import { compileDetectorModel } from "./detectors/compile.ts";
import { evaluateDetector } from "./detectors/evaluate.ts";
import { type DetectorState, describeVariables } from "./detectors/state.ts";
import { parseExpression, parseTextOrExpression } from "./expressions/parser.ts";
import { ExpressionFault, ModelFault } from "./faults.ts";
import { parsePayload } from "./payload.ts";
import { compileKey } from "./reader.ts";

/** Words of the language in any order, so that many of them can almost be read. */
const words = fc
  .array(
    fc.constantFrom(
      ..."'|\"|`|${|}|(|)|[|]|$input|$variable|.|,|a|b|0|1.5|1e9|true|false|&&||| |!|~|-|+|*|/|<|==|timeout|convert|String|isNull|\\|\u0000|\ud800|é".split(
        "|",
      ),
      "||",
      "$input.A.x",
      "$variable.v",
      'timeout("t")',
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(""));
const text = fc.oneof(words, fc.string({ unit: "binary", maxLength: 200 }));

const only = (kind: new (...parameters: never[]) => Error, work: () => unknown): boolean => {
  try {
    work();
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(kind);
    return false;
  }
};

const inputs: KnownInputs = { A: [{ jsonPath: "x" }, { jsonPath: "list" }] };
const payload = fc.oneof(
  fc.record({ x: fc.jsonValue({ maxDepth: 3 }), list: fc.jsonValue({ maxDepth: 2 }) }),
  fc.jsonValue({ maxDepth: 4 }),
);
const action: fc.Arbitrary<Action> = fc.oneof(
  text.map((value) => ({ setVariable: { variableName: "v", value } })),
  text.map((durationExpression) => ({ setTimer: { timerName: "t", durationExpression } })),
  text.map((timerName) => ({ setTimer: { timerName, seconds: 60 } })),
  text.map((mqttTopic) => ({ iotTopicPublish: { mqttTopic } })),
  text.map((contentExpression) => ({
    sns: { targetArn: "arn", payload: { contentExpression, type: "JSON" as const } },
  })),
  text.map((tableName) => ({ dynamoDBv2: { tableName } })),
  text.map((doubleValue) => ({
    iotSiteWise: { propertyAlias: "'p'", propertyValue: { value: { doubleValue } } },
  })),
);
const definition: fc.Arbitrary<DetectorModelDefinition> = fc
  .record({ condition: text, actions: fc.array(action, { maxLength: 4 }), second: text })
  .map(({ condition, actions, second }) => ({
    initialStateName: "s",
    states: [
      {
        stateName: "s",
        onEnter: {
          events: [
            {
              eventName: "set",
              actions: [
                { setVariable: { variableName: "v", value: "1" } },
                { setTimer: { timerName: "t", seconds: 60 } },
              ],
            },
          ],
        },
        onInput: {
          events: [
            { eventName: "seen", condition: 'currentInput("A")' },
            { eventName: "e", condition, actions },
          ],
          transitionEvents: [{ eventName: "t", condition: second, nextState: "s" }],
        },
      },
    ],
  }));

describe("whatever is written", () => {
  it("expressions are read or refused with a column", () => {
    fc.assert(
      fc.property(text, (written) => {
        for (const parse of [parseExpression, parseTextOrExpression])
          only(ExpressionFault, () => parse(written));
        only(ModelFault, () => compileKey(written));
      }),
      { numRuns: 2000 },
    );
  });
  it("models are compiled or refused with a place, and analysed in any case", () => {
    let compiled = 0;
    fc.assert(
      fc.property(definition, (written) => {
        const source = { detectorModelName: "m", detectorModelVersion: "1", definition: written };
        if (only(ModelFault, () => compileDetectorModel(source, inputs))) compiled += 1;
        for (const { locations } of analyseDetectorModel(written, inputs))
          for (const { path } of locations) expect(path).not.toBe("");
      }),
      { numRuns: 500 },
    );
    expect(compiled).toBeGreaterThan(0);
  });
  it.each([
    ["lists", "[", "]"],
    ["objects", '{"a":', "}"],
  ])("%s in %s have a bound, the same wherever they are read", (_, open, close) => {
    const nested = (depth: number, inside: string) =>
      `{"x":${open.repeat(depth - 1)}${inside}${close.repeat(depth - 1)}}`;
    for (const inside of ["1", "1.0", '"[[{{"']) {
      expect(() => parsePayload(nested(100, inside))).not.toThrow();
      for (const depth of [101, 3000, 100_000])
        expect(() => parsePayload(nested(depth, inside))).toThrow(SyntaxError);
    }
    expect(() => parsePayload(`{"x": "${"[".repeat(5000)}\\"{"}`)).not.toThrow();
  });
  it("payloads are evaluated, and what is kept of them can be written down", () => {
    const model = compileDetectorModel(
      {
        detectorModelName: "m",
        detectorModelVersion: "1",
        definition: {
          initialStateName: "s",
          states: [
            {
              stateName: "s",
              onInput: {
                events: [
                  "$input.A.x > 1",
                  "$input.A.x + $input.A.list == 2",
                  "$input.A.x && true",
                  "startsWith($input.A.x, 'a')",
                  "convert(Decimal, $input.A.x) > 0",
                  "~$input.A.x == 1",
                  "isNull($input.A.list[0]) || isUndefined($input.A.x)",
                ].map((condition) => ({
                  eventName: "e",
                  condition,
                  actions: [{ setVariable: { variableName: "v", value: "$input.A.x" } }],
                })),
              },
            },
          ],
        },
      },
      inputs,
    );
    fc.assert(
      fc.property(fc.array(payload, { minLength: 1, maxLength: 5 }), (payloads) => {
        let state: DetectorState | undefined;
        for (const one of payloads) {
          const read = parsePayload(JSON.stringify(one));
          const stimulus = {
            kind: "message",
            inputName: "A",
            messageId: "m",
            payload: read,
            atMs: 0,
          } as const;
          ({ state } = evaluateDetector(model, state, stimulus, { nowMs: 0, keyValue: "" }));
          const kept: DetectorState = JSON.parse(JSON.stringify(state));
          expect(describeVariables(kept)).toEqual(describeVariables(state));
          state = kept;
        }
      }),
      { numRuns: 1000 },
    );
  });
});
