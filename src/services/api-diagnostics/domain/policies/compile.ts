/**
 * Compiles a policy document into the steps of its sections. `base` includes the steps of the next outer
 * level.
 */
import * as changes from "./changes.ts";
import { cors } from "./cors.ts";
import * as guards from "./guards.ts";
import { type Element, parseMarkup } from "./markup.ts";
import { type PolicyRun, type Reply, TooMuchWork } from "./run.ts";
import {
  fail,
  type Outcome,
  type PolicyTools,
  Reading,
  refused,
  SECTIONS,
  type Section,
  type Step,
} from "./step.ts";

export const POLICY_LENGTH_MAX = 131_072;
const STEPS_MAX = 200;

type Compile = (element: Element, section: Section, scope: string, known: Known["backends"]) => Step["run"];
type Policy = { readonly in: readonly Section[]; readonly compile: Compile };
/** Names that documents may refer to. */
export type Known = {
  readonly named?: ReadonlyMap<string, string>;
  /** In lower case. If absent, backend IDs are not checked. */
  readonly backends?: ReadonlySet<string>;
};
const BEFORE = ["inbound"] as const;
const AFTER = ["outbound", "on-error"] as const;
const EVERYWHERE = SECTIONS;
const POLICIES: Readonly<Record<string, Policy>> = {
  "set-header": { in: EVERYWHERE, compile: changes.setHeader },
  "set-query-parameter": { in: ["inbound", "backend"], compile: changes.setQueryParameter },
  "set-variable": { in: EVERYWHERE, compile: changes.setVariable },
  "set-method": { in: BEFORE, compile: changes.setMethod },
  "set-status": { in: AFTER, compile: changes.setStatus },
  "rewrite-uri": { in: BEFORE, compile: changes.rewriteUri },
  "set-backend-service": {
    in: ["inbound", "backend"],
    compile: (element, _section, _scope, backends) => changes.setBackendService(element, backends),
  },
  "return-response": { in: EVERYWHERE, compile: changes.returnResponse },
  "mock-response": { in: ["inbound", "outbound", "on-error"], compile: changes.mockResponse },
  "check-header": { in: BEFORE, compile: guards.checkHeader },
  "rate-limit-by-key": { in: BEFORE, compile: guards.rateLimitByKey },
  "quota-by-key": { in: BEFORE, compile: guards.quotaByKey },
  "validate-jwt": { in: BEFORE, compile: guards.validateJwt },
  cors: { in: BEFORE, compile: cors },
  "cache-lookup": { in: BEFORE, compile: guards.cacheLookup },
  "cache-store": { in: ["outbound"], compile: guards.cacheStore },
};

export type Retry = {
  readonly count: number;
  readonly intervalSeconds: number;
  readonly firstFast: boolean;
  condition(run: PolicyRun): boolean;
};
/** `base` includes the same section of the next outer level. */
type Part = Step | "base";
export type CompiledPolicy = {
  readonly scope: string;
  readonly sections: Readonly<Record<Section, readonly Part[]>>;
  /** Undefined if the backend section is empty or contains only `base`. */
  readonly forward: { readonly timeoutSeconds?: number; readonly retry?: Retry } | undefined;
};
export type EffectivePolicy = {
  readonly sections: Readonly<Record<Section, readonly Step[]>>;
  readonly timeoutSeconds: number | undefined;
  readonly retry: Retry | undefined;
};

class Compiler {
  readonly #scope: string;
  #steps = 0;
  readonly #backends: Known["backends"];
  constructor(scope: string, backends: Known["backends"]) {
    this.#scope = scope;
    this.#backends = backends;
  }
  section(element: Element, section: Section): readonly Part[] {
    return element.children.flatMap((child): readonly Part[] => {
      if (child.name === "base") return ["base"];
      if (section === "backend" && (child.name === "forward-request" || child.name === "retry")) return [];
      return [this.#step(child, section)];
    });
  }
  #step(element: Element, section: Section): Step {
    this.#steps += 1;
    if (this.#steps > STEPS_MAX) fail(element, `A document has ${STEPS_MAX} policies at the most.`);
    const { name } = element;
    if (name === "choose") return { policy: name, scope: this.#scope, run: this.#choose(element, section) };
    const known = Object.hasOwn(POLICIES, name) ? POLICIES[name] : undefined;
    if (!known) return fail(element, "This policy is not supported here.");
    if (!known.in.includes(section)) fail(element, `This policy is not allowed in the section '${section}'.`);
    return {
      policy: name,
      scope: this.#scope,
      run: known.compile(element, section, this.#scope, this.#backends),
    };
  }
  #choose(element: Element, section: Section): Step["run"] {
    const reading = new Reading(element);
    const ways = reading.children("when", "otherwise").map((way) => {
      const own = new Reading(way);
      const isChosen = way.name === "when" ? own.condition("condition") : () => true;
      own.done();
      return { isChosen, name: way.name, steps: way.children.map((child) => this.#step(child, section)) };
    });
    reading.done();
    if (
      ways.findIndex(({ name }) => name === "otherwise") < ways.length - 1 &&
      ways.some(({ name }) => name === "otherwise")
    )
      fail(element, "'otherwise' must be the last.");
    return (run, tools, note) => {
      const chosen = ways.findIndex(({ isChosen }) => isChosen(run));
      note(chosen < 0 ? "nothing" : `${ways[chosen]?.name} ${chosen + 1}`);
      return runSteps(ways[chosen]?.steps ?? [], run, tools, section);
    };
  }
}
/** What a call gets whose expressions did too much work. Throws all other errors. */
function replyFor(error: unknown, policy: string): Reply {
  if (!(error instanceof TooMuchWork)) throw error;
  return refused(500, error.message, "ExpressionValueEvaluationFailure", policy);
}
function performed(
  step: Step,
  run: PolicyRun,
  tools: PolicyTools,
  section: Section,
): ReturnType<Step["run"]> {
  const { policy, scope } = step;
  try {
    const outcome = step.run(run, tools, (effect) => run.notes.push({ scope, section, policy, effect }));
    return outcome instanceof Promise ? outcome.catch((error) => replyFor(error, policy)) : outcome;
  } catch (error) {
    return replyFor(error, policy);
  }
}
/** Runs steps in order until one returns a reply. Returns synchronously if no step is asynchronous. */
export function runSteps(
  steps: readonly Step[],
  run: PolicyRun,
  tools: PolicyTools,
  section: Section,
  from = 0,
): Outcome | Promise<Outcome> {
  for (let at = from; at < steps.length; at += 1) {
    const outcome = performed(steps[at] as Step, run, tools, section);
    if (outcome instanceof Promise)
      return outcome.then((reply) => reply ?? runSteps(steps, run, tools, section, at + 1));
    if (outcome) return outcome;
  }
  return undefined;
}

function isMet(condition: Retry["condition"], run: PolicyRun): boolean {
  try {
    return condition(run);
  } catch (error) {
    if (error instanceof TooMuchWork) return false;
    throw error;
  }
}
function forwardOf(backend: Element | undefined): CompiledPolicy["forward"] {
  const found = backend?.children.find(({ name }) => name === "forward-request" || name === "retry");
  if (!found) return undefined;
  const timeoutOf = (element: Element): { timeoutSeconds?: number } => {
    const reading = new Reading(element);
    const timeoutSeconds = element.attributes.has("timeout")
      ? reading.whole("timeout", { min: 1, max: 240 })
      : undefined;
    reading.children();
    reading.done();
    return timeoutSeconds === undefined ? {} : { timeoutSeconds };
  };
  if (found.name === "forward-request") return timeoutOf(found);
  const reading = new Reading(found);
  const [forward, ...others] = reading.children("forward-request");
  if (!forward || others.length > 0) fail(found, "One element 'forward-request' is expected here.");
  const condition = reading.condition("condition");
  const retry: Retry = {
    condition: (run) => isMet(condition, run),
    count: reading.whole("count", { min: 1, max: 50 }),
    intervalSeconds: reading.whole("interval", { min: 0, max: 60, otherwise: 1 }),
    firstFast: reading.flag("first-fast-retry", false),
  };
  reading.done();
  return { ...timeoutOf(forward), retry };
}

/** Replaces a document that no longer compiles because a named value was changed or deleted. */
export function brokenPolicy(scope: string, message: string): CompiledPolicy {
  const step: Step = {
    policy: "policies",
    scope,
    run(_run, _tools, note) {
      note(message);
      return refused(500, "The policies of this API cannot be read.", "PolicyInvalid", "configuration");
    },
  };
  return {
    scope,
    sections: { inbound: [step], backend: [], outbound: [], "on-error": [] },
    forward: undefined,
  };
}
/** Throws a PolicyError that names the position. `scope`: the level of the document, shown in traces. */
export function compilePolicy(text: string, scope: string, { named, backends }: Known = {}): CompiledPolicy {
  const root = parseMarkup(text, named);
  if (root.name !== "policies") fail(root, "The document must be an element 'policies'.");
  const reading = new Reading(root);
  const children = reading.children(...SECTIONS);
  reading.done();
  const compiler = new Compiler(scope, backends);
  const of = (section: Section): Element | undefined => {
    const [first, second] = children.filter(({ name }) => name === section);
    if (second) fail(second, "A section is given once.");
    return first;
  };
  const sections = Object.fromEntries(
    SECTIONS.map((section) => {
      const element = of(section);
      return [section, element ? compiler.section(element, section) : []];
    }),
  ) as CompiledPolicy["sections"];
  return { scope, sections, forward: forwardOf(of("backend")) };
}

/** Combines levels from the outermost to the innermost. Undefined if no level has a policy. */
export function effectiveOf(levels: readonly (CompiledPolicy | undefined)[]): EffectivePolicy | undefined {
  let effective: EffectivePolicy | undefined;
  for (const level of levels) {
    if (!level) continue;
    const above = effective;
    const stepsOf = (section: Section): readonly Step[] =>
      level.sections[section].flatMap((part) =>
        part === "base" ? (above?.sections[section] ?? []) : [part],
      );
    const sections = {
      inbound: stepsOf("inbound"),
      backend: stepsOf("backend"),
      outbound: stepsOf("outbound"),
      "on-error": stepsOf("on-error"),
    };
    const keepsBase = level.sections.backend.includes("base");
    effective = {
      sections,
      timeoutSeconds: level.forward?.timeoutSeconds ?? (keepsBase ? above?.timeoutSeconds : undefined),
      retry: level.forward?.retry ?? (keepsBase ? above?.retry : undefined),
    };
  }
  return effective;
}
