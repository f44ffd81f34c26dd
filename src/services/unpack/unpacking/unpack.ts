/** From a packed file to an unpacked one. */
import { Memory } from "../emulator/memory.ts";
import { entropyOf } from "../pe/entropy.ts";
import { type PeFile, readPe } from "../pe/file.ts";
import type { WindowsProcess } from "../windows/process.ts";
import { WindowsSystem } from "../windows/system.ts";
import { fileBytesOf, isExecutable, isWritable, looksPacked } from "./appearance.ts";
import type { Budget, Outcome, SectionFacts, Verdict } from "./outcome.ts";
import { findPacker } from "./packers.ts";
import { type FindExport, rebuild } from "./rebuild.ts";
import { findThunkTarget } from "./thunks.ts";
import { Watch } from "./watch.ts";
import { writtenStrings } from "./written-strings.ts";

const PLAIN_REASON = "It does what programs do without executing anything that it has written.";

/** Throws a BrokenFileError where the file can't be loaded. */
export function unpackExecutable(content: Uint8Array, budget: Budget): Outcome {
  const file = readPe(content);
  const packer = findPacker(file);
  const isSuspect = packer !== undefined || looksPacked(file);
  const system = new WindowsSystem(file, new Memory(budget.memoryBytesMax));
  const { process } = system;
  const { candidate, isReached, layers, reason } = new Watch(system, isSuspect).run(budget);
  const originalEntryPoint = candidate && isReached ? candidate.address - candidate.base : undefined;
  const rebuilt =
    candidate && originalEntryPoint !== undefined
      ? rebuild(file, { ...candidate, entryPoint: originalEntryPoint }, exportFinder(process))
      : undefined;
  const isPlain = !candidate && !isSuspect && layers.length === 0;
  const verdict: Verdict = rebuilt ? "unpacked" : isPlain ? "plain" : "stopped";
  const image = candidate?.base === process.base ? candidate.image : imageOf(process);
  return {
    verdict,
    content: rebuilt?.content,
    report: {
      verdict,
      reason: verdict === "plain" ? PLAIN_REASON : reason,
      packer,
      base: file.base,
      entryPoint: file.entryPoint,
      originalEntryPoint,
      layers,
      imports:
        rebuilt?.imports.map(({ library, address, names }) => ({ library, address, functions: names })) ?? [],
      sections: sectionFacts(file, image),
      calls: process.journal.calls,
      callsLeftOut: process.journal.callsLeftOut,
      strings: writtenStrings(process.memory, content),
      events: process.journal.events,
      instructions: process.cpu.executed,
      memoryBytes: process.memory.bytesInUse,
    },
  };
}

/** Also behind bytes that only lead there. */
function exportFinder(process: WindowsProcess): FindExport {
  const { libraries, memory } = process;
  return (address) => {
    const direct = libraries.findExport(address);
    if (direct || !process.findAllocation(address)) return direct;
    const target = findThunkTarget(address, (from, into) => memory.tryRead(from, into));
    return target === undefined ? undefined : libraries.findExport(target);
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
