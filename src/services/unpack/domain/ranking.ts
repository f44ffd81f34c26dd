/**
 * Ranks strings by how well they identify an executable. Rare, meaningful strings rank first; strings that
 * every executable has are dropped.
 */
import type { FoundString } from "./strings.ts";

export type RankedString = FoundString & { readonly score: number; readonly why: string };

const RANKED_MAX = 200;
const LENGTH_MIN = 6;
const GOOD_LENGTH = 24;
/** A string with a smaller share of words, and no other sign of meaning, counts as code. */
const WORDS_SHARE_MIN = 0.7;

/** Compilers, linkers and the loader put these strings into every executable. */
const COMMON_PARTS = [
  "this program cannot be run in dos mode",
  "microsoft visual c++ runtime",
  "runtime error",
  "pure virtual function call",
  "not enough space for",
  "unable to initialize",
  "unexpected heap error",
  "mingw runtime failure",
  "mingw-w64 runtime",
  "virtualquery failed",
  "virtualprotect failed",
  "unknown pseudo relocation",
  "libgcj-",
  "_register_frame_info",
  "gcc: (gnu)",
  "<assembly xmlns",
  "urn:schemas-microsoft-com",
  "requestedexecutionlevel",
  "trustinfo",
  "vs_version_info",
  "stringfileinfo",
  "varfileinfo",
  "fileversion",
  "productversion",
  "originalfilename",
  "internalname",
  "legalcopyright",
  "filedescription",
  "companyname",
  "productname",
  "abcdefghijklmnopqrstuvwxyz",
  "sunday",
  "monday",
  "january",
  "february",
  "hh:mm:ss",
  "dddd, mmmm",
] as const;
/** Pattern of system API names. An API name identifies an executable only if it is an unusual one. */
const INTERFACE_NAME = /^_?(?:[A-Z][a-z]+\d*){2,}[AW]?$/;
const LIBRARY_NAME = /^[\w-]+\.(?:dll|drv|ocx)$/i;
/** Names in nearly every import table. */
const COMMON_NAMES = new Set(
  `LoadLibraryA LoadLibraryW LoadLibraryExW FreeLibrary GetProcAddress GetModuleHandleA GetModuleHandleW GetModuleFileNameA
GetModuleFileNameW ExitProcess TerminateProcess GetCurrentProcess GetCurrentProcessId GetCurrentThreadId GetCommandLineA GetCommandLineW
GetStartupInfoA GetStartupInfoW GetVersion GetVersionExA GetTickCount QueryPerformanceCounter GetSystemTimeAsFileTime Sleep
VirtualAlloc VirtualFree VirtualProtect VirtualQuery HeapAlloc HeapFree HeapReAlloc HeapCreate HeapDestroy GetProcessHeap
EnterCriticalSection LeaveCriticalSection InitializeCriticalSection DeleteCriticalSection TlsAlloc TlsGetValue TlsSetValue TlsFree
GetLastError SetLastError SetUnhandledExceptionFilter UnhandledExceptionFilter RaiseException RtlUnwind IsDebuggerPresent
GetStdHandle GetFileType SetHandleCount WriteFile ReadFile CreateFileA CreateFileW CloseHandle SetFilePointer FlushFileBuffers
MultiByteToWideChar WideCharToMultiByte LCMapStringA LCMapStringW GetStringTypeA GetStringTypeW GetCPInfo GetACP GetOEMCP
InterlockedIncrement InterlockedDecrement InterlockedExchange MessageBoxA GetEnvironmentStringsW FreeEnvironmentStringsW Translation Comments`.split(
    /\s+/,
  ),
);
const COMMON_LIBRARY =
  /^(?:kernel32|user32|gdi32|advapi32|ntdll|msvcrt|shell32|ole32|oleaut32|comctl32|ws2_32)\.dll$/i;
const SECTION_NAME = /^\.?[a-z]{2,7}\d?$/;

type Sign = { readonly why: string; readonly weight: number; readonly pattern: RegExp };
const SIGNS: readonly Sign[] = [
  { why: "an address on the network", weight: 40, pattern: /\b(?:https?|ftp|wss?|tcp):\/\/[\w.-]{3,}/i },
  { why: "a path of whoever built it", weight: 38, pattern: /[A-Za-z]:\\[^\\/:*?"<>|]{1,64}\\|\.pdb$/i },
  { why: "a key of the registry", weight: 32, pattern: /\b(?:HKEY_|Software\\|CurrentVersion\\|System\\)/i },
  { why: "a mail address", weight: 32, pattern: /[\w+-]@[\w-]{1,63}\.[a-z]{2}/i },
  {
    why: "an identifier",
    weight: 28,
    pattern: /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i,
  },
  {
    why: "a command",
    weight: 26,
    pattern: /\b(?:cmd(?:\.exe)? \/|powershell|rundll32|regsvr32|schtasks|net user)/i,
  },
  {
    why: "a file name",
    weight: 18,
    pattern: /[\w-]{2}\.(?:exe|bat|sys|dat|tmp|ini|cfg|log|txt|php|asp)\b/i,
  },
  { why: "a sentence", weight: 16, pattern: /\b[A-Za-z]{2,30} [A-Za-z]{2,30} [A-Za-z]{2}/ },
  { why: "a pattern of printf", weight: 10, pattern: /%(?:\d*[sdxu]|l[du])/ },
];

const isCommon = (text: string): boolean => {
  const lower = text.toLowerCase();
  return (
    COMMON_NAMES.has(text) || COMMON_LIBRARY.test(text) || COMMON_PARTS.some((part) => lower.includes(part))
  );
};

const WORD = /[A-Za-z]+/g;
const ONE_CASE = /^(?:[A-Z]?[a-z]+|[A-Z]+)$/;
const VOWELS = /[aeiouy]/gi;
const VOWELS_SHARE = { min: 0.2, max: 0.75 } as const;

function isWord(letters: string): boolean {
  if (letters.length < 2 || !ONE_CASE.test(letters)) return false;
  const share = (letters.match(VOWELS)?.length ?? 0) / letters.length;
  return letters.length < 4 || (share >= VOWELS_SHARE.min && share <= VOWELS_SHARE.max);
}
/**
 * Share of the string that is words, from 0 to 1. It is low for code that happens to be printable. Camel
 * case counts as several words.
 */
function wordlikeness(text: string): number {
  const runs = text.replace(/([a-z])([A-Z])/g, "$1 $2").match(WORD) ?? [];
  const inWords = runs.filter(isWord).reduce((sum, { length }) => sum + length, 0);
  const blanks = text.match(/[\s\d]/g)?.length ?? 0;
  return Math.min(1, (inWords + blanks) / text.length);
}

function rank(found: FoundString): RankedString | undefined {
  const { text, isWide, section } = found;
  if (section === "header" || text.trim().length < LENGTH_MIN || isCommon(text) || SECTION_NAME.test(text))
    return undefined;
  const sign = SIGNS.find(({ pattern }) => pattern.test(text));
  const likeness = wordlikeness(text);
  if (!sign && likeness < WORDS_SHARE_MIN) return undefined;
  const isName = INTERFACE_NAME.test(text) || LIBRARY_NAME.test(text);
  const length = Math.min(text.length, GOOD_LENGTH) / GOOD_LENGTH;
  const score = (sign?.weight ?? 0) + 30 * likeness + 20 * length + (isWide ? 6 : 0) - (isName ? 30 : 0);
  const why = sign?.why ?? (isName ? "a name of the system's" : "words");
  return { ...found, score: Math.round(score * 10) / 10, why };
}

/** Best strings first. Strings of equal score keep the order of their offsets. */
export function rankedOf(strings: readonly FoundString[]): readonly RankedString[] {
  const best = new Map<string, RankedString>();
  for (const found of strings) {
    const ranked = best.has(found.text) ? undefined : rank(found);
    if (ranked) best.set(found.text, ranked);
  }
  return [...best.values()].sort((a, b) => b.score - a.score || a.offset - b.offset).slice(0, RANKED_MAX);
}
