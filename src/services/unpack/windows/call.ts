/** One call of a system function by the emulated program. */
import type { Exceptions } from "./exceptions.ts";
import type { WindowsProcess } from "./process.ts";

export type Call = {
  readonly process: WindowsProcess;
  readonly exceptions: Exceptions;
  readonly name: string;
  readonly given: readonly number[];
  /** Where it goes on afterwards. */
  readonly returnsTo: number;
};
/** `takes`: how many words it takes off the stack. Answers what the accumulator holds then; undefined where it has seen to all itself. */
export type SystemFunction = {
  readonly takes: number;
  /** The caller takes its words back itself. */
  readonly isCdecl?: true;
  answer(call: Call): number | undefined;
};
export type Functions = Readonly<Record<string, SystemFunction>>;

export const answering = (takes: number, answer: (call: Call) => number | undefined): SystemFunction => ({
  takes,
  answer,
});
/** The same thing every time. */
export const constant = (takes: number, value: number): SystemFunction => answering(takes, () => value);
export const at = ({ given }: Call, index: number): number => (given[index] ?? 0) >>> 0;
export const textAt = (call: Call, index: number): string => call.process.readText(at(call, index));
export const wideTextAt = (call: Call, index: number): string => call.process.readWideText(at(call, index));
/** Both spellings of a function: of bytes and of wide characters. */
export function bothSpellings(
  name: string,
  takes: number,
  answer: (call: Call, text: (index: number) => string, isWide: boolean) => number | undefined,
): Functions {
  const spelt = (isWide: boolean) =>
    answering(takes, (call) => answer(call, (i) => (isWide ? wideTextAt : textAt)(call, i), isWide));
  return { [`${name}A`]: spelt(false), [`${name}W`]: spelt(true) };
}
