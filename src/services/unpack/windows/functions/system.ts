/** Time, versions, threads, errors, strings, windows and registry: functions that programs call at start. */
import { answering, at, bothSpellings, type Call, constant, type Functions, textAt } from "../call.ts";
import { hex } from "../journal.ts";
import { PROCESS_ID } from "../layout.ts";
import { ProgramEnd } from "../program-end.ts";

const CURRENT_PROCESS = 0xffff_ffff;
const CURRENT_THREAD = 0xffff_fffe;
const THREAD_HANDLE = 0x300;
const THREAD_ID = 0x4dc;
const WINDOWS_XP = 0x0a28_0105;
const STARTED_SECONDS = 1_100_000_000;
const TO_1601 = 11_644_473_600n;
const OK = 1;
const KEY_NOT_FOUND = 2;
const MESSAGE_MAX = 500;
/** Button mask of a message box, and the button that is reported as pressed. */
const BUTTONS = 15;
const YES_OR_NO = 4;
const YES = 6;

const ends = (takes: number) =>
  answering(takes, (call) => {
    throw new ProgramEnd(`The program ends itself with ${call.name}.`);
  });
function writeFileTime(call: Call, index: number): number {
  const ticks =
    (BigInt(STARTED_SECONDS) + TO_1601) * 10_000_000n + BigInt(call.process.milliseconds) * 10_000n;
  call.process.writeLong(at(call, index), Number(BigInt.asIntN(32, ticks)));
  call.process.writeLong(at(call, index) + 4, Number(ticks >> 32n));
  return OK;
}
const milliseconds = ({ process }: Call): number => process.milliseconds;

const timeFunctions: Functions = {
  GetTickCount: answering(0, milliseconds),
  timeGetTime: answering(0, milliseconds),
  QueryPerformanceCounter: answering(1, (call) => {
    call.process.writeLong(at(call, 0), call.process.milliseconds * 1000);
    call.process.writeLong(at(call, 0) + 4, 0);
    return OK;
  }),
  QueryPerformanceFrequency: answering(1, (call) => {
    call.process.writeLong(at(call, 0), 1_000_000);
    call.process.writeLong(at(call, 0) + 4, 0);
    return OK;
  }),
  GetSystemTimeAsFileTime: answering(1, (call) => writeFileTime(call, 0)),
  GetLocalTime: answering(1, (call) => {
    call.process.fill(at(call, 0), 16, 1);
    return 0;
  }),
  GetSystemTime: answering(1, (call) => {
    call.process.fill(at(call, 0), 16, 1);
    return 0;
  }),
  Sleep: answering(1, (call) => {
    call.process.wait(at(call, 0));
    return 0;
  }),
  SleepEx: answering(2, (call) => {
    call.process.wait(at(call, 0));
    return 0;
  }),
};
const versionFunctions: Functions = {
  GetVersion: constant(0, WINDOWS_XP),
  ...bothSpellings("GetVersionEx", 1, (call) => {
    for (const [index, value] of [5, 1, 2600, 2].entries())
      call.process.writeLong(at(call, 0) + 4 + index * 4, value);
    return OK;
  }),
  GetSystemInfo: answering(1, (call) => {
    for (const [index, value] of [0, 0x1000, 0x1_0000, 0x7ffe_ffff, 1, 1, 586, 0x1_0000, 0].entries())
      call.process.writeLong(at(call, 0) + index * 4, value);
    return 0;
  }),
  IsProcessorFeaturePresent: constant(1, 1),
  GetACP: constant(0, 1252),
  GetOEMCP: constant(0, 437),
  GetCPInfo: answering(2, (call) => {
    call.process.fill(at(call, 1), 18, 0);
    call.process.writeLong(at(call, 1), 1);
    return OK;
  }),
  GetSystemDefaultLangID: constant(0, 0x409),
  GetUserDefaultLCID: constant(0, 0x409),
  GetEnvironmentStrings: answering(0, ({ process }) => process.environment),
  GetEnvironmentStringsA: answering(0, ({ process }) => process.environment),
  GetEnvironmentStringsW: answering(0, ({ process }) => process.environment),
  FreeEnvironmentStringsA: constant(1, OK),
  FreeEnvironmentStringsW: constant(1, OK),
  ...bothSpellings("GetEnvironmentVariable", 3, () => 0),
  ...bothSpellings("GetComputerName", 2, (call, _text, isWide) =>
    Math.sign(call.process.writeText(at(call, 0), "SAMPLE", 16, isWide)),
  ),
  ...bothSpellings("GetUserName", 2, (call, _text, isWide) =>
    Math.sign(call.process.writeText(at(call, 0), "user", 16, isWide)),
  ),
};
const threadFunctions: Functions = {
  GetCurrentProcess: constant(0, CURRENT_PROCESS),
  GetCurrentThread: constant(0, CURRENT_THREAD),
  GetCurrentProcessId: constant(0, PROCESS_ID),
  GetCurrentThreadId: constant(0, THREAD_ID),
  OpenProcess: constant(3, 0),
  CreateThread: answering(6, (call) => {
    if (at(call, 5) !== 0) call.process.writeLong(at(call, 5), THREAD_ID + 4);
    call.process.note("thread", `It starts a thread at ${hex(at(call, 2))}.`);
    return call.process.callLater(at(call, 2), [at(call, 3)]) ? THREAD_HANDLE : 0;
  }),
  ResumeThread: constant(1, 0),
  SuspendThread: constant(1, 0),
  SetThreadPriority: constant(2, OK),
  SetPriorityClass: constant(2, OK),
  GetThreadPriority: constant(1, 0),
  WaitForSingleObject: answering(2, (call) => {
    call.process.wait(1);
    return 0;
  }),
  ...bothSpellings("CreateMutex", 3, () => 0x304),
  ...bothSpellings("OpenMutex", 3, () => 0),
  ...bothSpellings("CreateEvent", 4, () => 0x308),
  SetEvent: constant(1, OK),
  ReleaseMutex: constant(1, OK),
  InitializeCriticalSection: constant(1, 0),
  InitializeCriticalSectionAndSpinCount: constant(2, OK),
  EnterCriticalSection: constant(1, 0),
  LeaveCriticalSection: constant(1, 0),
  DeleteCriticalSection: constant(1, 0),
  TlsAlloc: answering(0, ({ process }) => process.newThreadSlot()),
  TlsFree: constant(1, OK),
  TlsSetValue: answering(2, (call) => (call.process.keepForThread(at(call, 0), at(call, 1)) ? OK : 0)),
  TlsGetValue: answering(1, (call) => call.process.keptForThread(at(call, 0))),
  InterlockedIncrement: answering(1, (call) => {
    const value = call.process.readLong(at(call, 0)) + 1;
    call.process.writeLong(at(call, 0), value);
    return value;
  }),
  InterlockedDecrement: answering(1, (call) => {
    const value = call.process.readLong(at(call, 0)) - 1;
    call.process.writeLong(at(call, 0), value);
    return value;
  }),
  InterlockedCompareExchange: answering(3, (call) => {
    const value = call.process.readLong(at(call, 0));
    if (value >>> 0 === at(call, 2)) call.process.writeLong(at(call, 0), at(call, 1));
    return value;
  }),
  InterlockedExchange: answering(2, (call) => {
    const value = call.process.readLong(at(call, 0));
    call.process.writeLong(at(call, 0), at(call, 1));
    return value;
  }),
};
const endFunctions: Functions = {
  NtClose: constant(1, 0),
  ExitProcess: ends(1),
  ExitThread: ends(1),
  TerminateProcess: ends(2),
  NtTerminateProcess: ends(2),
  FatalAppExitA: ends(2),
};
const textFunctions: Functions = {
  lstrlenA: answering(1, (call) => textAt(call, 0).length),
  lstrlenW: answering(1, (call) => call.process.readWideText(at(call, 0)).length),
  lstrcpyA: answering(2, (call) => {
    call.process.writeText(at(call, 0), textAt(call, 1), 0x1_0000, false);
    return at(call, 0);
  }),
  lstrcpynA: answering(3, (call) => {
    call.process.writeText(
      at(call, 0),
      textAt(call, 1).slice(0, Math.max(0, at(call, 2) - 1)),
      at(call, 2),
      false,
    );
    return at(call, 0);
  }),
  lstrcatA: answering(2, (call) => {
    call.process.writeText(at(call, 0), textAt(call, 0) + textAt(call, 1), 0x1_0000, false);
    return at(call, 0);
  }),
  lstrcmpA: answering(2, (call) => compare(textAt(call, 0), textAt(call, 1))),
  lstrcmpiA: answering(2, (call) => compare(textAt(call, 0).toLowerCase(), textAt(call, 1).toLowerCase())),
  CharLowerA: answering(1, (call) => at(call, 0)),
  CharUpperA: answering(1, (call) => at(call, 0)),
  MultiByteToWideChar: answering(6, (call) => {
    const text = textAt(call, 2);
    if (at(call, 5) === 0) return text.length + 1;
    return call.process.writeText(at(call, 4), text, at(call, 5), true) + 1;
  }),
  WideCharToMultiByte: answering(8, (call) => {
    const text = call.process.readWideText(at(call, 2));
    if (at(call, 5) === 0) return text.length + 1;
    return call.process.writeText(at(call, 4), text, at(call, 5), false) + 1;
  }),
};
const windowFunctions: Functions = {
  ...bothSpellings("MessageBox", 4, (call, text) => {
    call.process.note("message", `It shows a message: ${text(1).slice(0, MESSAGE_MAX)}`);
    return (at(call, 3) & BUTTONS) === YES_OR_NO ? YES : OK;
  }),
  ...bothSpellings("FindWindow", 2, () => 0),
  ...bothSpellings("FindWindowEx", 4, () => 0),
  GetDesktopWindow: constant(0, 0x1_0010),
  GetForegroundWindow: constant(0, 0x1_0014),
  GetActiveWindow: constant(0, 0),
  BlockInput: constant(1, OK),
  EnumWindows: constant(2, OK),
  GetSystemMetrics: constant(1, 1024),
  GetKeyboardType: constant(1, 4),
  ...bothSpellings("PeekMessage", 5, () => 0),
  GetCursorPos: answering(1, (call) => {
    call.process.writeLong(at(call, 0), call.process.milliseconds & 0x3ff);
    call.process.writeLong(at(call, 0) + 4, 200);
    return OK;
  }),
};
const registryFunctions: Functions = {
  ...bothSpellings("RegOpenKey", 3, () => KEY_NOT_FOUND),
  ...bothSpellings("RegOpenKeyEx", 5, () => KEY_NOT_FOUND),
  ...bothSpellings("RegQueryValueEx", 6, () => KEY_NOT_FOUND),
  ...bothSpellings("RegCreateKeyEx", 9, () => KEY_NOT_FOUND),
  RegCloseKey: constant(1, 0),
};
const compare = (left: string, right: string): number => (left === right ? 0 : left < right ? -1 : 1);

export const kernelFunctions: Functions = {
  ...timeFunctions,
  ...versionFunctions,
  ...threadFunctions,
  ...endFunctions,
  ...textFunctions,
};
export { registryFunctions, windowFunctions };
