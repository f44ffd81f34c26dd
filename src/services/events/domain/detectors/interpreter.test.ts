/** Random models and random orders of messages, against an interpreter that does the same as plainly as can be. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are templates of the expression language.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Action, DetectorModelDefinition, Event, State } from "../definition.ts";
import { compileDetectorModel } from "./compile.ts";
import { evaluateDetector } from "./evaluate.ts";
import { type DetectorState, waitingTimers } from "./state.ts";

/** Expressions as trees; the product gets them as text, the plain interpreter as they are. */
type Term =
  | { readonly is: "number"; readonly value: number }
  | { readonly is: "variable"; readonly name: string }
  | { readonly is: "attribute"; readonly name: string }
  | { readonly is: "calculated"; readonly sign: "+" | "-" | "*"; readonly left: Term; readonly right: Term };
type Test =
  | { readonly is: "fixed"; readonly value: boolean }
  | { readonly is: "flag" }
  | {
      readonly is: "compared";
      readonly sign: "<" | "<=" | ">" | ">=" | "==" | "!=";
      readonly left: Term;
      readonly right: Term;
    }
  | { readonly is: "both"; readonly left: Test; readonly right: Test }
  | { readonly is: "either"; readonly left: Test; readonly right: Test }
  | { readonly is: "not"; readonly inner: Test }
  | { readonly is: "elapsed"; readonly timer: string }
  | { readonly is: "from"; readonly input: string }
  | { readonly is: "byTimer" }
  | { readonly is: "missing"; readonly term: Term };
type Deed =
  | { readonly is: "assign"; readonly name: string; readonly term: Term }
  | { readonly is: "start"; readonly timer: string; readonly seconds: number }
  | { readonly is: "restart" | "stop"; readonly timer: string }
  | { readonly is: "say"; readonly term: Term };
type Happening = { readonly name: string; readonly test: Test | undefined; readonly deeds: readonly Deed[] };
type Passage = Happening & { readonly test: Test; readonly to: number };
type Place = {
  readonly enter: readonly Happening[];
  readonly input: readonly Happening[];
  readonly exit: readonly Happening[];
  readonly passages: readonly Passage[];
};
type Machine = { readonly isSerial: boolean; readonly places: readonly Place[] };
type Telegram = { readonly input: "X" | "Y"; readonly n?: number | null; readonly flag?: boolean };

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

class Impossible extends Error {}
type Clockwork = { due: number; seconds: number; rung: boolean; heard: boolean };

/** The plain interpreter: no compiling, no sharing, one thing after another. */
class Plain {
  readonly machine: Machine;
  place = -1;
  variables: Record<string, number> = {};
  clocks: Record<string, Clockwork> = {};
  letters: Record<string, Telegram> = {};
  said: string[] = [];
  passages: string[] = [];
  now = 0;
  telegram: Telegram | undefined;
  constructor(machine: Machine) {
    this.machine = machine;
  }

  term(term: Term): number | undefined {
    if (term.is === "number") return term.value;
    if (term.is === "variable") return this.variables[term.name];
    if (term.is === "attribute") return this.letters[term.name]?.n ?? undefined;
    const left = this.term(term.left);
    const right = this.term(term.right);
    if (left === undefined || right === undefined) return undefined;
    if (term.sign === "+") return left + right;
    // There is no negative zero among integers.
    return term.sign === "-" ? left - right : left * right + 0;
  }
  test(test: Test): boolean | undefined {
    if (test.is === "fixed") return test.value;
    if (test.is === "flag") return this.letters.X?.flag;
    if (test.is === "from") return this.telegram?.input === test.input;
    if (test.is === "byTimer") return this.telegram === undefined;
    if (test.is === "missing") {
      // Null is there, though nothing can be done with it.
      if (test.term.is === "attribute" && this.letters[test.term.name]?.n === null) return false;
      return this.term(test.term) === undefined;
    }
    if (test.is === "not") {
      const inner = this.test(test.inner);
      return inner === undefined ? undefined : !inner;
    }
    if (test.is === "either") return this.test(test.left) === true || this.test(test.right) === true;
    if (test.is === "both") {
      const left = this.test(test.left);
      return left ? this.test(test.right) : left;
    }
    if (test.is === "elapsed") {
      const clock = this.clocks[test.timer];
      if (clock === undefined || clock.heard || !(clock.rung || clock.due <= this.now)) return false;
      clock.heard = true;
      return true;
    }
    const left = this.term(test.left);
    const right = this.term(test.right);
    if (left === undefined || right === undefined) return undefined;
    switch (test.sign) {
      case "<":
        return left < right;
      case "<=":
        return left <= right;
      case ">":
        return left > right;
      case ">=":
        return left >= right;
      case "==":
        return left === right;
      case "!=":
        return left !== right;
    }
  }
  needed(term: Term): number {
    const value = this.term(term);
    if (value === undefined) throw new Impossible();
    return value;
  }
  deed(deed: Deed): void {
    const clock = "timer" in deed ? this.clocks[deed.timer] : undefined;
    if (deed.is === "assign") this.variables[deed.name] = this.needed(deed.term);
    if (deed.is === "say") this.said.push(`said/${this.needed(deed.term)}`);
    if (deed.is === "start")
      this.clocks[deed.timer] = {
        due: this.now + deed.seconds,
        seconds: deed.seconds,
        rung: false,
        heard: false,
      };
    if (deed.is === "stop") delete this.clocks[deed.timer];
    if (deed.is !== "restart") return;
    if (clock === undefined) throw new Impossible();
    this.clocks[deed.timer] = {
      due: this.now + clock.seconds,
      seconds: clock.seconds,
      rung: false,
      heard: false,
    };
  }
  happen({ deeds }: Happening): void {
    for (const deed of deeds)
      try {
        this.deed(deed);
      } catch (error) {
        if (!(error instanceof Impossible)) throw error;
      }
  }
  wanted({ test }: Happening): boolean {
    return test === undefined || this.test(test) === true;
  }
  group(happenings: readonly Happening[]): void {
    if (this.machine.isSerial) {
      for (const one of happenings) if (this.wanted(one)) this.happen(one);
    } else {
      const chosen: Happening[] = [];
      for (const one of happenings) if (this.wanted(one)) chosen.push(one);
      for (const one of chosen) this.happen(one);
    }
  }
  at(index: number): Place {
    const place = this.machine.places[index];
    if (place === undefined) throw new Error("There is no such place.");
    return place;
  }
  live(): void {
    if (this.place < 0) {
      this.place = 0;
      this.group(this.at(0).enter);
    }
    const place = this.at(this.place);
    let taken: Passage | undefined;
    if (this.machine.isSerial) {
      this.group(place.input);
      taken = place.passages.find((passage) => this.wanted(passage));
    } else {
      const chosen = place.input.filter((one) => this.wanted(one));
      taken = place.passages.find((passage) => this.wanted(passage));
      for (const one of chosen) this.happen(one);
    }
    if (taken === undefined) return;
    this.happen(taken);
    this.group(place.exit);
    this.passages.push(`P${this.place} → P${taken.to}`);
    this.place = taken.to;
    this.group(this.at(taken.to).enter);
  }
  receive(telegram: Telegram, now: number): void {
    this.now = now;
    this.telegram = telegram;
    this.letters[telegram.input] = telegram;
    this.live();
  }
  /** Clocks that ring up to a moment, one after another. */
  wait(until: number): void {
    for (;;) {
      const [next] = Object.entries(this.clocks)
        .filter(([, { rung, heard, due }]) => !rung && !heard && due <= until)
        .sort(([, one], [, other]) => one.due - other.due);
      if (next === undefined) return;
      const [name, { due }] = next;
      this.now = due;
      this.telegram = undefined;
      this.clocks[name] = { ...next[1], rung: true };
      this.live();
    }
  }
}

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
const { test } = fc.letrec<{ test: Test }>((tie) => ({
  test: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.record({
      is: fc.constant("compared" as const),
      sign: fc.constantFrom(
        "<" as const,
        "<=" as const,
        ">" as const,
        ">=" as const,
        "==" as const,
        "!=" as const,
      ),
      left: term,
      right: term,
    }),
    fc.record({ is: fc.constant("fixed" as const), value: fc.boolean() }),
    fc.record({ is: fc.constant("flag" as const) }),
    fc.record({ is: fc.constant("elapsed" as const), timer }),
    fc.record({ is: fc.constant("from" as const), input }),
    fc.record({ is: fc.constant("byTimer" as const) }),
    fc.record({ is: fc.constant("missing" as const), term }),
    fc.record({
      is: fc.constantFrom("both" as const, "either" as const),
      left: tie("test"),
      right: tie("test"),
    }),
    fc.record({ is: fc.constant("not" as const), inner: tie("test") }),
  ),
}));
const deed: fc.Arbitrary<Deed> = fc.oneof(
  fc.record({ is: fc.constant("assign" as const), name, term }),
  fc.record({ is: fc.constant("start" as const), timer, seconds: fc.integer({ min: 1, max: 20 }) }),
  fc.record({ is: fc.constantFrom("restart" as const, "stop" as const), timer }),
  fc.record({ is: fc.constant("say" as const), term }),
);
const deeds = fc.array(deed, { maxLength: 3 });
const happenings = fc.array(
  fc.record({ name: fc.constantFrom("one", "two"), test: fc.option(test, { nil: undefined }), deeds }),
  { maxLength: 3 },
);
const machine = (placeCount: number): fc.Arbitrary<Machine> =>
  fc.record({
    isSerial: fc.boolean(),
    places: fc.array(
      fc.record({
        enter: happenings,
        input: happenings,
        exit: happenings,
        passages: fc.array(fc.record({ name: fc.constant("go"), test, deeds, to: fc.nat(placeCount - 1) }), {
          maxLength: 3,
        }),
      }),
      { minLength: placeCount, maxLength: placeCount },
    ),
  });
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
