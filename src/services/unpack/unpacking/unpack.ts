/** Unpacks an executable: emulates it and rebuilds the file from its memory. */
import { Memory } from "../emulator/memory.ts";
import { entropyOf } from "../pe/entropy.ts";
import { type PeFile, readPe, wholeAddress } from "../pe/file.ts";
import { isRelocatable, wordsApart } from "../pe/relocations.ts";
import type { WindowsProcess } from "../windows/process.ts";
import { WindowsSystem } from "../windows/system.ts";
import { fileBytesOf, isExecutable, isWritable, looksPacked } from "./appearance.ts";
import { createThunkFollower } from "./followed-thunks.ts";
import type { FindExport, Resolver } from "./imports.ts";
import type { Budget, Outcome, SectionFacts, Verdict } from "./outcome.ts";
import { findPacker } from "./packers.ts";
import { type Found, isRebuilt, rebuild } from "./rebuild.ts";
import { findThunkTarget } from "./thunks.ts";
import { type Candidate, Watch } from "./watch.ts";
import { writtenStrings } from "./written-strings.ts";

/** Alternative bases that overlap neither allocated memory nor system libraries. */
const OTHER_BASES = [0x3000_0000, 0x5000_0000] as const;
const PLAIN_REASON = "It does what programs do without executing anything that it has written.";

const OWN_REASON = "It is what an executable was unpacked to before.";

/** Throws a BrokenFileError if the file cannot be loaded. */
export function unpackExecutable(content: Uint8Array, budget: Budget): Outcome {
  const file = readPe(content);
  const isOwn = isRebuilt(file);
  const packer = isOwn ? undefined : findPacker(file);
  const isSuspect = !isOwn && (packer !== undefined || looksPacked(file));
  const system = new WindowsSystem(file, new Memory(budget.memoryBytesMax));
  const { process } = system;
  const { candidate, isReached, layers, reason } = new Watch(system, isSuspect).run(budget);
  const found = candidate && isReached && !isOwn ? foundIn(process, candidate) : undefined;
  const left = leftOf(budget, process.memory.bytesInUse);
  const words = found && findRelocatedWords(file, found, isSuspect, left);
  const rebuilt = found && rebuild(file, found, resolverFor(process, found), words);
  const isPlain = isOwn || (!candidate && !isSuspect && layers.length === 0);
  const verdict = verdictOf(rebuilt !== undefined, isPlain);
  const image = candidate?.base === process.base ? candidate.image : imageOf(process);
  return {
    verdict,
    content: rebuilt?.content,
    report: {
      verdict,
      reason: isPlain ? plainReasonOf(isOwn) : reason,
      packer,
      base: wholeAddress(file, file.base),
      entryPoint: file.entryPoint,
      originalEntryPoint: found?.entryPoint,
      layers,
      imports:
        rebuilt?.imports.map(({ library, address, names }) => ({ library, address, functions: names })) ?? [],
      unboundImports:
        rebuilt?.unbound.map(({ address, target }) => ({ address, target: wholeAddress(file, target) })) ??
        [],
      sections: sectionFacts(file, image),
      calls: process.journal.calls,
      callsLeftOut: process.journal.callsLeftOut,
      strings: writtenStrings(process, content),
      events: process.journal.events,
      instructions: process.cpu.executed,
      memoryBytes: process.memory.bytesInUse,
    },
  };
}
const verdictOf = (isRebuiltNow: boolean, isPlain: boolean): Verdict =>
  isRebuiltNow ? "unpacked" : isPlain ? "plain" : "stopped";
const plainReasonOf = (isOwn: boolean): string => (isOwn ? OWN_REASON : PLAIN_REASON);
const foundIn = ({ memory }: WindowsProcess, { address, base, image }: Candidate): Found => ({
  image,
  base,
  entryPoint: address - base,
  isWritten: (place) => memory.isWritten(base + place),
});

/**
 * Unpacks a relocatable file at a second base. Words that differ are its relocations, even if the packer
 * destroyed their table. Both emulations share the memory budget.
 */
function findRelocatedWords(
  file: PeFile,
  { image, base, entryPoint }: Found,
  isSuspect: boolean,
  budget: Budget | undefined,
): readonly number[] {
  if (!budget || base !== file.base || !isRelocatable(file)) return [];
  const elsewhere = { ...file, base: OTHER_BASES.find((other) => isFar(other, base)) ?? base };
  const system = new WindowsSystem(elsewhere, new Memory(budget.memoryBytesMax));
  const { candidate, isReached } = new Watch(system, isSuspect).run(budget);
  const isSame = isReached && candidate?.base === elsewhere.base;
  if (!isSame || candidate.address - candidate.base !== entryPoint) return [];
  return wordsApart(image, candidate.image, file, candidate.base - base);
}
/** Undefined if a second emulation would exceed the budget. */
const leftOf = (budget: Budget, bytesInUse: number): Budget | undefined =>
  bytesInUse * 2 > budget.memoryBytesMax
    ? undefined
    : { ...budget, memoryBytesMax: budget.memoryBytesMax - bytesInUse };
const isFar = (one: number, other: number): boolean => Math.abs(one - other) >= 0x1000_0000;

/** Resolves addresses to system functions, directly and through thunks. */
function resolverFor(process: WindowsProcess, { base, image }: Found): Resolver {
  const { libraries, memory, file } = process;
  const findTarget = createThunkFollower(process);
  const isElsewhere = (address: number) => process.findAllocation(address) !== undefined;
  const follow: FindExport = (address) => {
    const target =
      findThunkTarget(address, (from, into) => memory.tryRead(from, into), file.isWide) ??
      findTarget(address);
    return target === undefined ? undefined : libraries.findExport(target);
  };
  return {
    isWide: file.isWide,
    window: file.window,
    find(address) {
      const direct = libraries.findExport(address);
      return direct || !isElsewhere(address) ? direct : follow(address);
    },
    follow,
    isElsewhere,
    isInside: (address) => address >= base && address < base + image.length,
  };
}
function imageOf({ memory, base, file }: WindowsProcess): Uint8Array {
  const image = new Uint8Array(file.imageBytes);
  memory.tryRead(base, image);
  return image;
}
const sectionFacts = (file: PeFile, image: Uint8Array): SectionFacts[] =>
  file.sections.map((section) => ({
    name: section.name,
    address: section.address,
    bytes: section.bytes,
    fileBytes: section.fileBytes,
    isExecutable: isExecutable(section),
    isWritable: isWritable(section),
    entropyBefore: entropyOf(fileBytesOf(file, section)),
    entropyAfter: entropyOf(image.subarray(section.address, section.address + section.bytes)),
  }));
