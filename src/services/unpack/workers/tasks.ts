/** What the main thread asks of workers, and what comes back. */
import type { ThreadMeter } from "#kernel/workers";
import type { RankedString } from "../domain/ranking.ts";
import type { FoundString } from "../domain/strings.ts";
import type { Outcome } from "../unpacking/outcome.ts";
import type { KeptParts, KeptReport } from "./kept.ts";

/** What it costs is measured in its thread. */
type Metered = { readonly meter: ThreadMeter };
export type EmulationTask = Metered & { readonly content: Uint8Array };
export type Emulated = Outcome &
  Pick<KeptReport, "unpackedSha256"> & {
    /** The same, to be kept. */
    readonly parts: KeptParts;
    readonly tookMs: number;
  };
/** The file is not one that can be looked at, for a reason to be told. */
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
/** Of one of the given texts, which may hold several rules. */
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
