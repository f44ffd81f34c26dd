/** Fault injection: rules that delay or fail matching requests, so that callers can test their error handling. */
import { isDeepStrictEqual } from "node:util";

export type FaultRule = {
  readonly id: string;
  /** A missing part matches anything. */
  readonly match: { readonly service?: string; readonly operation?: string; readonly account?: string };
  readonly latencyMs?: number;
  readonly status?: number;
  /** The error name in the service's own spelling; default: the protocol's name for an unavailable service. */
  readonly error?: string;
  readonly message?: string;
  /** Headers of the answer. A temporary error gets `Retry-After` unless it is given here. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The share of matching requests, 0 to 1. */
  readonly rate?: number;
  /** How often it hits before it is used up. */
  readonly count?: number;
};
export type FaultTarget = {
  readonly service: string;
  readonly operation: string;
  readonly account: string | undefined;
};

type LimitedRule = FaultRule & { readonly count: number };
const isLimited = (rule: FaultRule): rule is LimitedRule => rule.count !== undefined;

/** These services are never hit: a rule that matches everything would lock out its author. */
const SPARED: ReadonlySet<string> = new Set(["medley", "console", "root"]);

const matches = (wanted: string | undefined, actual: string | undefined): boolean =>
  wanted === undefined ||
  wanted === actual ||
  (wanted.endsWith("*") && (actual ?? "").startsWith(wanted.slice(0, -1)));

/** Counts the hits of limited rules, for all nodes together. */
export type StrikeCounts = {
  /** Counts a hit. False if the rule is used up. */
  claim(ruleId: string, countMax: number): Promise<boolean>;
  /** By rule. */
  read(): Promise<ReadonlyMap<string, number>>;
};
export type FaultRuleView = FaultRule & { readonly struck: number };

export class Faults {
  readonly #counts: StrikeCounts;
  #rules: readonly FaultRule[] = [];
  /** Hits on this node. */
  readonly #struck = new Map<string, number>();
  readonly #spent = new Set<string>();

  constructor(counts: StrikeCounts) {
    this.#counts = counts;
  }
  /** Hits on all nodes for rules with a count, hits on this node for others. */
  async view(): Promise<FaultRuleView[]> {
    const counts = this.#rules.some(isLimited) ? await this.#counts.read() : this.#struck;
    return this.#rules.map((rule) => ({
      ...rule,
      struck: (isLimited(rule) ? counts : this.#struck).get(rule.id) ?? 0,
    }));
  }
  get active(): boolean {
    return this.#rules.length > 0;
  }
  /** Unchanged rules keep their counts. Returns their ids. */
  replace(rules: readonly FaultRule[]): readonly string[] {
    const before = new Map(this.#rules.map((rule) => [rule.id, rule]));
    const kept = rules.filter((rule) => isDeepStrictEqual(before.get(rule.id), rule)).map(({ id }) => id);
    for (const id of before.keys())
      if (!kept.includes(id)) {
        this.#struck.delete(id);
        this.#spent.delete(id);
      }
    this.#rules = rules;
    return kept;
  }
  /** The first rule that hits this request, if any. */
  async strike(target: FaultTarget, random: () => number): Promise<FaultRule | undefined> {
    if (SPARED.has(target.service)) return undefined;
    for (const rule of this.#rules) {
      const { service, operation, account } = rule.match;
      if (
        !matches(service, target.service) ||
        !matches(operation, target.operation) ||
        !matches(account, target.account)
      )
        continue;
      if (rule.rate !== undefined && random() >= rule.rate) continue;
      if (isLimited(rule) && !(await this.#claim(rule))) continue;
      this.#struck.set(rule.id, (this.#struck.get(rule.id) ?? 0) + 1);
      return rule;
    }
    return undefined;
  }
  /** A rule that is used up is not checked again. */
  async #claim({ id, count }: LimitedRule): Promise<boolean> {
    if (this.#spent.has(id)) return false;
    if (await this.#counts.claim(id, count)) return true;
    this.#spent.add(id);
    return false;
  }
}
