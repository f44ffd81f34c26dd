/** Detector models as trees, and an interpreter of them that is as plain as can be: what the product is held against. */

/** Expressions as trees; the product gets them as text, the plain interpreter as they are. */
export type Term =
  | { readonly is: "number"; readonly value: number }
  | { readonly is: "variable"; readonly name: string }
  | { readonly is: "attribute"; readonly name: string }
  | { readonly is: "calculated"; readonly sign: "+" | "-" | "*"; readonly left: Term; readonly right: Term };
export type Test =
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
export type Deed =
  | { readonly is: "assign"; readonly name: string; readonly term: Term }
  | { readonly is: "start"; readonly timer: string; readonly seconds: number }
  | { readonly is: "restart" | "stop"; readonly timer: string }
  | { readonly is: "say"; readonly term: Term };
export type Happening = {
  readonly name: string;
  readonly test: Test | undefined;
  readonly deeds: readonly Deed[];
};
export type Passage = Happening & { readonly test: Test; readonly to: number };
export type Place = {
  readonly enter: readonly Happening[];
  readonly input: readonly Happening[];
  readonly exit: readonly Happening[];
  readonly passages: readonly Passage[];
};
export type Machine = { readonly isSerial: boolean; readonly places: readonly Place[] };
export type Telegram = { readonly input: "X" | "Y"; readonly n?: number | null; readonly flag?: boolean };

class Impossible extends Error {}
type Clockwork = { due: number; seconds: number; rung: boolean; heard: boolean };

/** The plain interpreter: no compiling, no sharing, one thing after another. */
export class Plain {
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
    const isNamed = test.left.is === "variable" || test.left.is === "attribute";
    if (test.sign === "!=" && isNamed && JSON.stringify(test.left) === JSON.stringify(test.right))
      return left === undefined;
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
