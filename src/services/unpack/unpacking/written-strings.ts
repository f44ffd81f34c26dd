/** Strings that a program wrote to memory and that are not in its file. */
import { type Memory, PAGE_BYTES } from "../emulator/memory.ts";
import { isOfSystem, STACK_BYTES, STACK_TOP } from "../windows/layout.ts";
import type { WindowsProcess } from "../windows/process.ts";
import type { WrittenString } from "./outcome.ts";

const CHARACTERS_MIN = 6;
const CHARACTERS_MAX = 256;
const STRINGS_MAX = 2000;
const BYTES_MAX = 32 * 1024 * 1024;
const isPrintable = (byte: number): boolean => byte >= 0x20 && byte < 0x7f;

type Found = (from: number, text: string, isWide: boolean) => void;
/** End of a run of printable characters. Each UTF-16 character is followed by a zero. */
function endOf(bytes: Uint8Array, from: number, step: number): number {
  let end = from;
  while (end < bytes.length && isPrintable(bytes[end] as number) && (step === 1 || bytes[end + 1] === 0))
    end += step;
  return end;
}
function eachText(bytes: Uint8Array, found: Found): void {
  for (let at = 0; at < bytes.length; at += 1) {
    if (!isPrintable(bytes[at] as number)) continue;
    const isWide = bytes[at + 1] === 0 && isPrintable(bytes[at + 2] ?? 0) && bytes[at + 3] === 0;
    const step = isWide ? 2 : 1;
    const end = endOf(bytes, at, step);
    const cut = bytes.subarray(at, Math.min(end, at + CHARACTERS_MAX * step));
    if (cut.length >= CHARACTERS_MIN * step)
      found(at, Buffer.from(cut).toString(isWide ? "utf16le" : "latin1"), isWide);
    at = Math.max(end - 1, at);
  }
}

/** Merges adjacent pages, so that no string is split at a page boundary. */
function writtenRuns(memory: Memory): { address: number; bytes: number }[] {
  const runs: { address: number; bytes: number }[] = [];
  for (const address of memory.writtenPages()) {
    if (isOfSystem(address)) continue;
    if (address >= STACK_TOP - STACK_BYTES && address < STACK_TOP) continue;
    const last = runs.at(-1);
    if (last && last.address + last.bytes === address) last.bytes += PAGE_BYTES;
    else runs.push({ address, bytes: PAGE_BYTES });
  }
  return runs;
}

export function writtenStrings({ memory, cpu }: WindowsProcess, content: Uint8Array): WrittenString[] {
  const known = new Set<string>();
  eachText(content, (_, text) => known.add(text));
  const strings: WrittenString[] = [];
  let left = BYTES_MAX;
  for (const run of writtenRuns(memory)) {
    const bytes = new Uint8Array(Math.min(run.bytes, left));
    left -= bytes.length;
    memory.tryRead(run.address, bytes);
    eachText(bytes, (from, text, isWide) => {
      if (strings.length >= STRINGS_MAX || known.has(text)) return;
      known.add(text);
      strings.push({ address: cpu.wholeAddress(run.address + from), text, isWide });
    });
    if (strings.length >= STRINGS_MAX || left <= 0) break;
  }
  return strings;
}
