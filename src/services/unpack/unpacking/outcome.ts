/** Result of an analysis. It is plain data, so that a worker can post it. */
import type { ApiCall, Notable } from "../windows/journal.ts";

/** Limits of an emulation. The first limit that is reached ends it. */
export type Budget = {
  readonly instructionsMax: number;
  readonly memoryBytesMax: number;
};
export const DEFAULT_BUDGET = { instructionsMax: 200_000_000, memoryBytesMax: 192 * 1024 * 1024 } as const;

/**
 * `unpacked`: `content` is the rebuilt executable. `plain`: the file was not packed, and `content` is
 * undefined. `stopped`: the file is or looks packed, but the emulation did not reach the packed program. The
 * report shows how far it got.
 */
export type Verdict = "unpacked" | "plain" | "stopped";
export type Outcome = {
  readonly verdict: Verdict;
  readonly content: Uint8Array | undefined;
  readonly report: Report;
};

export type Report = {
  readonly verdict: Verdict;
  /** Why the emulation ended, as a sentence. */
  readonly reason: string;
  /** Identified by marks in the file. Undefined if the packer is unknown. */
  readonly packer: Packer | undefined;
  readonly base: number;
  /** Relative to the image base. */
  readonly entryPoint: number;
  /** Entry point of the packed program. Undefined if it was not reached. */
  readonly originalEntryPoint: number | undefined;
  readonly layers: readonly Layer[];
  readonly imports: readonly ImportedLibrary[];
  /** Slots in import tables that lead to no system function. */
  readonly unboundImports: readonly UnboundSlot[];
  readonly sections: readonly SectionFacts[];
  readonly calls: readonly ApiCall[];
  /** Number of calls beyond the stored ones. */
  readonly callsLeftOut: number;
  readonly strings: readonly WrittenString[];
  readonly events: readonly Notable[];
  readonly instructions: number;
  readonly memoryBytes: number;
};
/** `marks`: the evidence for this packer. */
export type Packer = { readonly name: string; readonly marks: readonly string[] };
/** A jump of the program into code that it has written. Addresses are absolute. */
export type Layer = {
  readonly address: number;
  /** Name of the section, or a description of the memory. */
  readonly place: string;
  readonly from: string;
  readonly instructions: number;
};
export type ImportedLibrary = {
  readonly library: string;
  /** Address of the slots, relative to the image base. */
  readonly address: number;
  readonly functions: readonly string[];
};
/** `address`: relative to the image base. `target`: the value of the slot. */
export type UnboundSlot = { readonly address: number; readonly target: number };
/** Entropy in bits per byte, 0 to 8. */
export type SectionFacts = {
  readonly name: string;
  readonly address: number;
  readonly bytes: number;
  readonly fileBytes: number;
  readonly isExecutable: boolean;
  readonly isWritable: boolean;
  readonly entropyBefore: number;
  /** Entropy of the image at the end of the emulation. */
  readonly entropyAfter: number;
};
/** A string that was not in the file, found in memory at the end of the emulation. */
export type WrittenString = { readonly address: number; readonly text: string; readonly isWide: boolean };
