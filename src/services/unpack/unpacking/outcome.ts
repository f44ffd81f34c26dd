/** What comes of an executable that was looked at: plain data, so that a worker can hand it over as it is. */
import type { ApiCall, Notable } from "../windows/journal.ts";

/** What an emulation may take; whichever is used up first ends it. */
export type Budget = {
  readonly instructionsMax: number;
  readonly memoryBytesMax: number;
};
export const DEFAULT_BUDGET = { instructionsMax: 200_000_000, memoryBytesMax: 192 * 1024 * 1024 } as const;

/**
 * `unpacked`: `content` is the rebuilt executable. `plain`: it was not packed, `content` is missing. `stopped`: it is packed or looks
 * so, and what was packed has not been reached; the report says how far it came.
 */
export type Verdict = "unpacked" | "plain" | "stopped";
export type Outcome = {
  readonly verdict: Verdict;
  readonly content: Uint8Array | undefined;
  readonly report: Report;
};

export type Report = {
  readonly verdict: Verdict;
  /** Why the emulation ended where it did: a sentence. */
  readonly reason: string;
  /** By its marks in the file; undefined where it is none that is known. */
  readonly packer: Packer | undefined;
  readonly base: number;
  /** From the image's base. */
  readonly entryPoint: number;
  /** Of what was packed; undefined where it has not been reached. */
  readonly originalEntryPoint: number | undefined;
  readonly layers: readonly Layer[];
  readonly imports: readonly ImportedLibrary[];
  /** Slots among those of import tables that lead to no function of the system. */
  readonly unboundImports: readonly UnboundSlot[];
  readonly sections: readonly SectionFacts[];
  readonly calls: readonly ApiCall[];
  /** Calls beyond those that are kept. */
  readonly callsLeftOut: number;
  readonly strings: readonly WrittenString[];
  readonly events: readonly Notable[];
  readonly instructions: number;
  readonly memoryBytes: number;
};
/** `marks`: what it was known by. */
export type Packer = { readonly name: string; readonly marks: readonly string[] };
/** The program went on in what it had written itself. Addresses are absolute. */
export type Layer = {
  readonly address: number;
  /** Of the section, or where else it lies. */
  readonly place: string;
  readonly from: string;
  readonly instructions: number;
};
export type ImportedLibrary = {
  readonly library: string;
  /** Of its table, from the image's base. */
  readonly address: number;
  readonly functions: readonly string[];
};
/** `address`: from the image's base. `target`: what it holds. */
export type UnboundSlot = { readonly address: number; readonly target: number };
/** Entropy is bits per byte, 0 to 8. */
export type SectionFacts = {
  readonly name: string;
  readonly address: number;
  readonly bytes: number;
  readonly fileBytes: number;
  readonly isExecutable: boolean;
  readonly isWritable: boolean;
  readonly entropyBefore: number;
  /** Of the image when the emulation ended. */
  readonly entropyAfter: number;
};
/** A text that was not in the file and lay in memory when the emulation ended. */
export type WrittenString = { readonly address: number; readonly text: string; readonly isWide: boolean };
