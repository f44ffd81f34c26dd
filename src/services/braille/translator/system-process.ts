/**
 * Child process around the system's liblouis, which is C. A crash affects only this process. The library has
 * global state, so two threads must never call it at once.
 */
import { createRequire } from "node:module";
import type { Line } from "../domain/cells.ts";
import { cellsOf, codePointsOf, EngineError, markedCellsOf, textOf, withEnoughRoom } from "./engine.ts";
import { SYSTEM_LIBRARY } from "./system-tables.ts";
import { IDLE_SECONDS_MAX } from "./tasks.ts";

export type SystemQuestion =
  | {
      readonly ask: "translate" | "findUnknown";
      readonly tableFile: string;
      readonly inputs: readonly string[];
    }
  | { readonly ask: "translateBack"; readonly tableFile: string; readonly inputs: readonly Line[] }
  | { readonly ask: "version" };
export type SystemAnswer = { readonly outputs: readonly unknown[] } | { readonly problem: string };

/**
 * Mode flags of liblouis since 3.3: dots as input and output, dots as Unicode braille, and no output for
 * characters without a rule.
 */
const DOTS_IN_AND_OUT = 4;
const UNICODE_BRAILLE = 64;
const NO_UNDEFINED = 128;
const LOG_NOTHING = 60_000;
/**
 * Character width in the libraries of Linux distributions. In two-byte builds, an emoji would be two
 * characters.
 */
const CHARACTER_BYTES = 4;
/** The longest text takes a second. The limit ends the process even if its parent is gone. */
const SECONDS_MAX = 20;

/** The used part of koffi. It is optional: without a build for the machine, the bundled engine is used. */
type ForeignFunctions = {
  /** Null: the libraries that this process has already loaded. */
  load(library: string | null): { func(declaration: string): (...values: readonly unknown[]) => unknown };
};
const foreign: ForeignFunctions = createRequire(import.meta.url)("koffi");
const library = foreign.load(SYSTEM_LIBRARY);
const version = library.func("const char *lou_version()");
const characterSize = library.func("int lou_charSize()");
const setLogLevel = library.func("void lou_setLogLevel(int)");
const PARAMETERS = "(const char *, void *, void *, void *, void *, void *, void *, int)";
const forward = library.func(`int lou_translateString${PARAMETERS}`);
const back = library.func(`int lou_backTranslateString${PARAMETERS}`);
/** SIGALRM of the operating system. It interrupts a native call, and its default action ends the process. */
const alarm = foreign.load(null).func("unsigned int alarm(unsigned int)");

function call(translate: typeof forward, tableFile: string, input: Uint32Array, mode: number): Uint32Array {
  if (input.length === 0) return input;
  return withEnoughRoom(input.length, (outputRoom) => {
    const output = new Uint32Array(outputRoom);
    const [inputLength, outputLength] = [Int32Array.of(input.length), Int32Array.of(outputRoom)];
    if (translate(tableFile, input, inputLength, output, outputLength, null, null, mode) === 0)
      throw new EngineError("the engine refused the input");
    const used = outputLength[0] ?? 0;
    const isWhole = translate === back ? used < outputRoom : (inputLength[0] ?? 0) >= input.length;
    return isWhole ? output.subarray(0, used) : undefined;
  });
}
const cellsIn = (tableFile: string, text: string, modes = 0): Line =>
  cellsOf(call(forward, tableFile, codePointsOf(text), DOTS_IN_AND_OUT | UNICODE_BRAILLE | modes));
/** A character without a rule produces no cells in this mode. */
const isUnknown = (tableFile: string, character: string): boolean =>
  cellsIn(tableFile, character, NO_UNDEFINED).length === 0;

function answerTo(question: SystemQuestion): readonly unknown[] {
  switch (question.ask) {
    case "version":
      return [version()];
    case "translate":
      return question.inputs.map((text) => cellsIn(question.tableFile, text));
    case "findUnknown":
      return question.inputs.filter((character) => isUnknown(question.tableFile, character));
    case "translateBack":
      return question.inputs.map((cells) =>
        textOf(call(back, question.tableFile, markedCellsOf(cells), DOTS_IN_AND_OUT)),
      );
  }
}

function answer(question: SystemQuestion): SystemAnswer {
  alarm(SECONDS_MAX);
  try {
    return { outputs: answerTo(question) };
  } catch (error) {
    return { problem: (error as Error).message };
  } finally {
    alarm(IDLE_SECONDS_MAX);
  }
}

alarm(IDLE_SECONDS_MAX);
setLogLevel(LOG_NOTHING);
if (characterSize() !== CHARACTER_BYTES)
  throw new Error(`its characters are ${characterSize()} bytes wide, not 4`);
process.on("message", (question: SystemQuestion) => process.send?.(answer(question)));
process.on("disconnect", () => process.exit());
