/** Messages between the main thread and workers. */
import type { ThreadMeter } from "#kernel/workers";
import type { RankedString } from "../domain/ranking.ts";
import type { FoundString } from "../domain/strings.ts";
import type { Outcome } from "../unpacking/outcome.ts";
import type { KeptParts, KeptReport } from "./kept.ts";

/** The worker measures the cost of the task. */
type Metered = { readonly meter: ThreadMeter };
export type EmulationTask = Metered & { readonly content: Uint8Array };
export type Emulated = Outcome &
  Pick<KeptReport, "unpackedSha256"> & {
    /** The same result in its stored form. */
    readonly parts: KeptParts;
    readonly tookMs: number;
  };
/** The file cannot be analysed. The reason is shown to the client. */
export type Refused = { readonly problem: string };

export type StringsTask = Metered & {
  readonly kind: "strings";
  readonly content: Uint8Array;
  readonly lengthMin: number;
  readonly ignored: readonly string[];
};
export type StringsFound = {
  readonly hashes: { readonly md5sum: string; readonly sha256sum: string; readonly sha512sum: string };
  readonly strings: readonly FoundString[];
  readonly leftOut: number;
  readonly ranked: readonly RankedString[];
};

export type RulesTask = Metered & {
  readonly kind: "rules";
  readonly content: Uint8Array;
  readonly rules: readonly string[];
};
export type RulesApplied = { readonly rules: readonly AppliedRules[] };
/** Result of one of the given sources, which may contain several rules. */
export type AppliedRules = {
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  readonly matches: readonly RuleMatch[];
};
export type RuleMatch = {
  readonly rule: string;
  readonly tags: readonly string[];
  readonly meta: readonly { readonly name: string; readonly value: string | number | boolean }[];
  readonly strings: readonly {
    readonly identifier: string;
    readonly offset: number;
    readonly length: number;
    readonly data: string;
  }[];
};
