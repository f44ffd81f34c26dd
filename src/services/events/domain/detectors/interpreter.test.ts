/** Random models and random orders of messages, against an interpreter that does the same as plainly as can be. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are templates of the expression language.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Deed,
  type Happening,
  type Machine,
  Plain,
  type Telegram,
  type Term,
  type Test,
} from "../../../../../tests/support/plain-detectors.ts";
import type { Action, DetectorModelDefinition, Event, State } from "../definition.ts";
import { compileDetectorModel } from "./compile.ts";
import { evaluateDetector } from "./evaluate.ts";
import { type DetectorState, waitingTimers } from "./state.ts";

/** The product gets models as text. */
function termText(term: Term): string {
  if (term.is === "number") return String(term.value);
  if (term.is === "variable") return `$variable.${term.name}`;
  if (term.is === "attribute") return `$input.${term.name}.n`;
  return `(${termText(term.left)} ${term.sign} ${termText(term.right)})`;
}
function testText(test: Test): string {
  switch (test.is) {
    case "fixed":
      return String(test.value);
    case "flag":
      return "$input.X.flag";
    case "compared":
      return `${termText(test.left)} ${test.sign} ${termText(test.right)}`;
    case "both":
      return `(${testText(test.left)} && ${testText(test.right)})`;
    case "either":
      return `(${testText(test.left)} || ${testText(test.right)})`;
    case "not":
      return `!(${testText(test.inner)})`;
    case "elapsed":
      return `timeout("${test.timer}")`;
    case "from":
      return `currentInput("${test.input}")`;
    case "byTimer":
      return 'triggerType("Timer")';
    case "missing":
      return `isUndefined(${termText(test.term)})`;
  }
}
function actionOf(deed: Deed): Action {
  switch (deed.is) {
    case "assign":
      return { setVariable: { variableName: deed.name, value: termText(deed.term) } };
    case "start":
      return { setTimer: { timerName: deed.timer, seconds: deed.seconds } };
    case "restart":
      return { resetTimer: { timerName: deed.timer } };
    case "stop":
      return { clearTimer: { timerName: deed.timer } };
    case "say":
      return { iotTopicPublish: { mqttTopic: `'said/\${${termText(deed.term)}}'` } };
  }
}
const eventOf = ({ name, test, deeds }: Happening): Event => ({
  eventName: name,
  ...(test !== undefined && { condition: testText(test) }),
  actions: deeds.map(actionOf),
});
/** Sets everything once, in an event that never happens: what is read must be set somewhere. */
const never: Event = {
  eventName: "never",
  condition: "false && $input.X.flag",
  actions: [
    { setVariable: { variableName: "a", value: "0" } },
    { setVariable: { variableName: "b", value: "0" } },
    { setTimer: { timerName: "s", seconds: 60 } },
    { setTimer: { timerName: "t", seconds: 60 } },
  ],
};
const definitionOf = ({ places }: Machine): DetectorModelDefinition => ({
  initialStateName: "P0",
  states: places.map(
    ({ enter, input, exit, passages }, index): State => ({
      stateName: `P${index}`,
      onEnter: { events: enter.map(eventOf) },
      onInput: {
        events: [...input.map(eventOf), never],
        transitionEvents: passages.map((passage) => ({
          eventName: passage.name,
          condition: testText(passage.test),
          actions: passage.deeds.map(actionOf),
          nextState: `P${passage.to}`,
        })),
      },
      onExit: { events: exit.map(eventOf) },
    }),
  ),
});

const name = fc.constantFrom("a", "b");
const timer = fc.constantFrom("s", "t");
const input = fc.constantFrom("X", "Y");
const { term } = fc.letrec<{ term: Term }>((tie) => ({
  term: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.record({ is: fc.constant("number" as const), value: fc.nat(5) }),
    fc.record({ is: fc.constant("variable" as const), name }),
    fc.record({ is: fc.constant("attribute" as const), name: input }),
    fc.record({
      is: fc.constant("calculated" as const),
      sign: fc.constantFrom("+" as const, "-" as const, "*" as const),
      left: tie("term"),
      right: tie("term"),
    }),
  ),
}));
const sign = fc.constantFrom(
  "<" as const,
  "<=" as const,
  ">" as const,
  ">=" as const,
  "==" as const,
  "!=" as const,
);
const small = fc.record({ is: fc.constant("number" as const), value: fc.nat(3) });
/** Most conditions ask for what other events set, so that the order of things shows. */
const ofVariable = fc.record({
  is: fc.constant("compared" as const),
  sign,
  left: fc.record({ is: fc.constant("variable" as const), name }),
  right: small,
});
const { test } = fc.letrec<{ test: Test }>((tie) => ({
  test: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 8, arbitrary: ofVariable },
    {
      weight: 2,
      arbitrary: fc.record({ is: fc.constant("compared" as const), sign, left: term, right: term }),
    },
    { weight: 1, arbitrary: fc.record({ is: fc.constant("fixed" as const), value: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ is: fc.constant("flag" as const) }) },
    { weight: 3, arbitrary: fc.record({ is: fc.constant("elapsed" as const), timer }) },
    { weight: 1, arbitrary: fc.record({ is: fc.constant("from" as const), input }) },
    { weight: 1, arbitrary: fc.record({ is: fc.constant("byTimer" as const) }) },
    { weight: 1, arbitrary: fc.record({ is: fc.constant("missing" as const), term }) },
    {
      weight: 3,
      arbitrary: fc.record({
        is: fc.constantFrom("both" as const, "either" as const),
        left: tie("test"),
        right: tie("test"),
      }),
    },
    { weight: 1, arbitrary: fc.record({ is: fc.constant("not" as const), inner: tie("test") }) },
  ),
}));
const assignment = (value: fc.Arbitrary<Term>): fc.Arbitrary<Deed> =>
  fc.record({ is: fc.constant("assign" as const), name, term: value });
const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 4, arbitrary: assignment(small) },
  { weight: 2, arbitrary: assignment(term) },
  {
    weight: 2,
    arbitrary: fc.record({
      is: fc.constant("start" as const),
      timer,
      seconds: fc.integer({ min: 1, max: 20 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ is: fc.constantFrom("restart" as const, "stop" as const), timer }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant("say" as const), term }) },
);
const deeds = fc.array(deed, { maxLength: 3, size: "max" });
const happenings = fc.array(
  fc.record({ name: fc.constantFrom("one", "two"), test: fc.option(test, { nil: undefined }), deeds }),
  { maxLength: 4, size: "max" },
);
/** Variables have values from the beginning, in most machines. */
const beginning: Happening = {
  name: "begin",
  test: undefined,
  deeds: ["a", "b"].map((variable) => ({
    is: "assign",
    name: variable,
    term: { is: "number", value: 0 },
  })),
};

const machine = (placeCount: number): fc.Arbitrary<Machine> =>
  fc
    .record({
      isSerial: fc.boolean(),
      hasBeginning: fc.integer({ min: 0, max: 4 }).map((chance) => chance > 0),
      places: fc.array(
        fc.record({
          enter: happenings,
          input: happenings,
          exit: happenings,
          passages: fc.array(
            fc.record({ name: fc.constant("go"), test, deeds, to: fc.nat(placeCount - 1) }),
            {
              maxLength: 3,
              size: "max",
            },
          ),
        }),
        { minLength: placeCount, maxLength: placeCount },
      ),
    })
    .map(({ isSerial, hasBeginning, places: [first, ...others] }) => ({
      isSerial,
      places: first
        ? [{ ...first, enter: hasBeginning ? [beginning, ...first.enter] : first.enter }, ...others]
        : [],
    }));
const telegrams = fc.array(
  fc.record({
    afterSeconds: fc.nat(15),
    telegram: fc.record(
      { input, n: fc.option(fc.integer({ min: -3, max: 6 })), flag: fc.boolean() },
      { requiredKeys: ["input"] },
    ) as fc.Arbitrary<Telegram>,
  }),
  { minLength: 1, maxLength: 12 },
);

/** The product's side, which keeps its state as text between two messages. */
class Product {
  readonly #model;
  #kept: string | undefined;
  readonly said: string[] = [];
  readonly passages: string[] = [];
  constructor(source: Machine) {
    this.#model = compileDetectorModel(
      {
        detectorModelName: "random",
        detectorModelVersion: "1",
        definition: definitionOf(source),
        evaluationMethod: source.isSerial ? "SERIAL" : "BATCH",
      },
      { X: [{ jsonPath: "n" }, { jsonPath: "flag" }], Y: [{ jsonPath: "n" }] },
    );
  }
  get state(): DetectorState | undefined {
    return this.#kept === undefined ? undefined : JSON.parse(this.#kept);
  }
  #stimulate(stimulus: Parameters<typeof evaluateDetector>[2], nowMs: number): void {
    const { state, log, actions } = evaluateDetector(this.#model, this.state, stimulus, {
      nowMs,
      keyValue: "",
    });
    this.#kept = JSON.stringify(state);
    this.said.push(...actions.map(({ target }) => target));
    this.passages.push(
      ...log.filter(({ kind }) => kind === "transition").map(({ from, to }) => `${from} → ${to}`),
    );
  }
  receive(payload: Telegram, nowMs: number): void {
    this.#stimulate(
      { kind: "message", inputName: payload.input, messageId: "m", payload, atMs: nowMs },
      nowMs,
    );
  }
  wait(untilMs: number): void {
    for (;;) {
      const [next] = (this.state ? waitingTimers(this.state) : [])
        .filter(({ dueAtMs }) => dueAtMs <= untilMs)
        .sort((one, other) => one.dueAtMs - other.dueAtMs);
      if (next === undefined) return;
      this.#stimulate({ kind: "timer", timerName: next.name }, next.dueAtMs);
    }
  }
}

/** A timer that a machine sets going again each time it elapses is followed for this long. */
const END_SECONDS = 60;

describe("random models", () => {
  it("do what the plain interpreter does", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }).chain(machine), telegrams, (source, messages) => {
        const plain = new Plain(source);
        const product = new Product(source);
        let now = 0;
        for (const { afterSeconds, telegram } of messages) {
          now += afterSeconds;
          plain.wait(now);
          product.wait(now * 1000);
          plain.receive(telegram, now);
          product.receive(telegram, now * 1000);
          expect(product.state?.stateName).toBe(`P${plain.place}`);
        }
        plain.wait(now + END_SECONDS);
        product.wait((now + END_SECONDS) * 1000);
        expect(product.passages).toEqual(plain.passages);
        expect(product.said).toEqual(plain.said);
        expect(product.state?.variables).toEqual(plain.variables);
        expect(
          Object.fromEntries(
            Object.entries(product.state?.timers ?? {}).map(([timerName, { dueAtMs, elapsed }]) => [
              timerName,
              [dueAtMs / 1000, elapsed === "read"],
            ]),
          ),
        ).toEqual(
          Object.fromEntries(
            Object.entries(plain.clocks).map(([clock, { due, heard }]) => [clock, [due, heard]]),
          ),
        );
      }),
      { numRuns: 500 },
    );
  });
});
