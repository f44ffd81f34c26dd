/** All emulated system functions, by library. */
import type { Functions, SystemFunction } from "../call.ts";
import { constant } from "../call.ts";
import { EXPORTED } from "../exported.ts";
import { cryptographyFunctions } from "./cryptography.ts";
import { errorFunctions } from "./errors.ts";
import { fileFunctions } from "./files.ts";
import { memoryFunctions } from "./memory.ts";
import { moduleFunctions } from "./modules.ts";
import { processFunctions } from "./processes.ts";
import { runtimeFunctions } from "./runtime.ts";
import { kernelFunctions, registryFunctions, windowFunctions } from "./system.ts";

const isNative = (name: string): boolean => /^(?:Nt|Zw|Ldr|Rtl)/.test(name);
const ENUMERATION = /Next|Enum/;
const pick = (functions: Functions, wanted: (name: string) => boolean): Functions =>
  Object.fromEntries(Object.entries(functions).filter(([name]) => wanted(name)));

const all: Functions = {
  ...kernelFunctions,
  ...errorFunctions,
  ...memoryFunctions,
  ...moduleFunctions,
  ...fileFunctions,
  ...processFunctions,
};
const byLibrary: Readonly<Record<string, Functions>> = {
  "kernel32.dll": pick(
    all,
    (name) =>
      !isNative(name) || ["RtlUnwind", "RtlMoveMemory", "RtlZeroMemory", "RtlFillMemory"].includes(name),
  ),
  "ntdll.dll": pick(all, isNative),
  "user32.dll": windowFunctions,
  "advapi32.dll": { ...registryFunctions, ...cryptographyFunctions },
  "msvcrt.dll": runtimeFunctions,
};
/** Functions that libraries forward to each other, or that programs look up in the wrong library. */
const everywhere: Functions = {
  ...runtimeFunctions,
  ...registryFunctions,
  ...cryptographyFunctions,
  ...windowFunctions,
  ...all,
};
const known = new Map<string, ReadonlyMap<string, number>>();
const none: ReadonlyMap<string, number> = new Map();
/** Exported names with the number of words that each pops. cdecl functions pop none. */
function exportsOf(library: string): ReadonlyMap<string, number> {
  const found = known.get(library);
  if (found) return found;
  const words = EXPORTED[library]?.split(" ").filter((word) => word !== "");
  // The program chooses library names, so unknown ones are not cached.
  if (!words) return none;
  const made = new Map(
    words.map((word): [string, number] => {
      const mark = word.lastIndexOf("@");
      const takes = Number(word.slice(mark + 1));
      return mark > 0 && Number.isInteger(takes) ? [word.slice(0, mark), takes] : [word, 0];
    }),
  );
  known.set(library, made);
  return made;
}

export const namesOf = (library: string): readonly string[] => [
  ...new Set([...exportsOf(library).keys(), ...Object.keys(byLibrary[library] ?? {})]),
];
export function functionOf(
  library: string,
  name: string,
): { readonly function: SystemFunction; readonly isKnown: boolean } {
  const found = byLibrary[library]?.[name] ?? everywhere[name];
  // Default results of functions without emulation: success, but "no more items" for enumerations.
  const plausible = ENUMERATION.test(name) ? 0 : 1;
  return {
    function: found ?? constant(exportsOf(library).get(name) ?? 0, plausible),
    isKnown: found !== undefined,
  };
}
