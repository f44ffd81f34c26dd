/** What is kept of how money is divided as it comes in. */
import type { Money } from "../../money/index.ts";

/** A sum, or a hundredth part of what comes in. */
export type Definition = {
  readonly id: number;
  readonly to: {
    readonly type: string;
    readonly value: string;
    readonly name?: string;
    readonly service?: string;
  };
  readonly description: string;
  readonly money?: Money | undefined;
  readonly fraction?: number | undefined;
};
export type AllocateKept = {
  readonly type: string;
  readonly paymentId: number;
  readonly latestId: number;
  /** Who pays: the rule is for what comes from there. */
  readonly counterparty: string;
  readonly definitions: readonly Definition[];
};

export type AllocateInstanceKept = {
  readonly paymentId: number;
  readonly batchId?: number;
  readonly message?: string;
};
