/** One call of a system function by the emulated program. */
import type { Exceptions } from "./exceptions.ts";
import type { WindowsProcess } from "./process.ts";

export type Call = {
  readonly process: WindowsProcess;
  readonly exceptions: Exceptions;
  readonly name: string;
  readonly given: readonly number[];
  /** Return address. */
  readonly returnsTo: number;
};
/**
 * `takes`: number of argument words. `answer` returns the new accumulator, or undefined if it has set the
 * processor state itself.
 */
export type SystemFunction = {
  readonly takes: number;
  /** The caller removes the arguments from the stack. */
  readonly isCdecl?: true;
  answer(call: Call): number | undefined;
};
export type Functions = Readonly<Record<string, SystemFunction>>;

export const answering = (takes: number, answer: (call: Call) => number | undefined): SystemFunction => ({
  takes,
  answer,
});
/** A stub that always returns the same value. */
export const constant = (takes: number, value: number): SystemFunction => answering(takes, () => value);
export const at = ({ given }: Call, index: number): number => (given[index] ?? 0) >>> 0;
export const textAt = (call: Call, index: number): string => call.process.readText(at(call, index));
export const wideTextAt = (call: Call, index: number): string => call.process.readWideText(at(call, index));
/** Defines the ANSI and the wide version of a function. */
export function bothSpellings(
  name: string,
  takes: number,
  answer: (call: Call, text: (index: number) => string, isWide: boolean) => number | undefined,
): Functions {
  const spelt = (isWide: boolean) =>
    answering(takes, (call) => answer(call, (i) => (isWide ? wideTextAt : textAt)(call, i), isWide));
  return { [`${name}A`]: spelt(false), [`${name}W`]: spelt(true) };
}
