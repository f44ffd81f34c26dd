/** Faults on demand: rules that delay or fail matching requests, so that callers can test how they cope. */
export type FaultRule = {
  readonly id: string;
  /** Absent parts match anything. */
  readonly match: { readonly service?: string; readonly operation?: string; readonly account?: string };
  readonly latencyMs?: number;
  readonly status?: number;
  /** Error name in the service's own spelling; default the protocol's name for an unavailable service. */
  readonly error?: string;
  readonly message?: string;
  /** Share of matching requests, 0 to 1. */
  readonly rate?: number;
  /** How many times it strikes before it is spent. */
  readonly count?: number;
};
export type FaultTarget = {
  readonly service: string;
  readonly operation: string;
  readonly account: string | undefined;
};

/** What faults are mended with is never struck: a rule that matches everything would lock its author out. */
const SPARED: ReadonlySet<string> = new Set(["medley", "console", "root"]);

const matches = (wanted: string | undefined, actual: string | undefined): boolean =>
  wanted === undefined ||
  wanted === actual ||
  (wanted.endsWith("*") && (actual ?? "").startsWith(wanted.slice(0, -1)));

export class Faults {
  #rules: readonly FaultRule[] = [];
  readonly #struck = new Map<string, number>();

  get rules(): readonly (FaultRule & { readonly struck: number })[] {
    return this.#rules.map((rule) => ({ ...rule, struck: this.#struck.get(rule.id) ?? 0 }));
  }
  get active(): boolean {
    return this.#rules.length > 0;
  }
  replace(rules: readonly FaultRule[]): void {
    this.#rules = rules;
    this.#struck.clear();
  }
  /** The first rule that strikes this request, if any. */
  strike(target: FaultTarget, random: () => number): FaultRule | undefined {
    if (SPARED.has(target.service)) return undefined;
    for (const rule of this.#rules) {
      const { service, operation, account } = rule.match;
      if (
        !matches(service, target.service) ||
        !matches(operation, target.operation) ||
        !matches(account, target.account)
      )
        continue;
      const struck = this.#struck.get(rule.id) ?? 0;
      if (rule.count !== undefined && struck >= rule.count) continue;
      if (rule.rate !== undefined && random() >= rule.rate) continue;
      this.#struck.set(rule.id, struck + 1);
      return rule;
    }
    return undefined;
  }
}
