/** Recent calls of each instance on this node, for the live view. */
import { isoOf } from "#kernel/clock";
import type { Call } from "../domain/index.ts";
import { keptUrl } from "../domain/masking.ts";

export type Kept = {
  readonly diagnostic: string;
  readonly of: "instance" | "api";
  readonly logger: string;
  readonly isLogged: boolean;
  readonly why: string;
  readonly record?: Readonly<Record<string, unknown>>;
};
export type TrafficEntry = {
  readonly number: number;
  readonly time: string;
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly ms: number;
  readonly backendMs: number;
  readonly api: string;
  readonly operation: string;
  readonly problem: string;
  readonly policies: Call["policies"];
  readonly kept: readonly Kept[];
};

const ENTRIES_MAX = 200;
const INSTANCES_MAX = 100;

export class Traffic {
  readonly #byInstance = new Map<string, TrafficEntry[]>();
  #number = 0;
  add(instanceKey: string, call: Call, kept: readonly Kept[]): void {
    this.#number += 1;
    const entries = this.#byInstance.get(instanceKey) ?? [];
    entries.push({
      number: this.#number,
      time: isoOf(call.atMs),
      method: call.method,
      url: keptUrl(call.url, undefined, call.keyName),
      status: call.status,
      ms: call.ms,
      backendMs: call.backend?.ms ?? 0,
      api: call.api?.id ?? "",
      operation: call.api?.operationId ?? "",
      problem: call.error?.reason ?? "",
      policies: call.policies,
      kept,
    });
    if (entries.length > ENTRIES_MAX) entries.shift();
    const [oldest] = this.#byInstance.keys();
    if (this.#byInstance.size >= INSTANCES_MAX && oldest !== undefined && !this.#byInstance.has(instanceKey))
      this.#byInstance.delete(oldest);
    this.#byInstance.set(instanceKey, entries);
  }
  after(instanceKey: string, number: number): readonly TrafficEntry[] {
    return (this.#byInstance.get(instanceKey) ?? []).filter((entry) => entry.number > number);
  }
  forget(): void {
    this.#byInstance.clear();
  }
}
