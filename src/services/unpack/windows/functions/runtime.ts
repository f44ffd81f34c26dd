/** C runtime functions that programs need before main. All are cdecl. */
import { at, type Call, type Functions, type SystemFunction, textAt } from "../call.ts";
import { ProgramEnd } from "../program-end.ts";

const COPIED_MAX = 0x400_0000;

const cdecl = (takes: number, answer: (call: Call) => number | undefined): SystemFunction => ({
  takes,
  isCdecl: true,
  answer,
});
const always = (value: number, takes = 0): SystemFunction => cdecl(takes, () => value);
const ends = cdecl(1, (call) => {
  throw new ProgramEnd(`The program ends itself with ${call.name}.`);
});
/** Returns the address of a runtime variable, which stays the same. */
const cell = cdecl(0, ({ process, name }) => process.runtimeCell(name));
const compareBytes = (call: Call, bytes: number): number => {
  const left = new Uint8Array(Math.min(bytes, COPIED_MAX));
  const right = new Uint8Array(left.length);
  call.process.memory.tryRead(at(call, 0), left);
  call.process.memory.tryRead(at(call, 1), right);
  return Buffer.compare(left, right);
};
const copies = cdecl(3, (call) => {
  call.process.copy(at(call, 0), at(call, 1), at(call, 2));
  return at(call, 0);
});
/** Calls the functions of a table in order, like _initterm. */
const callsEach = cdecl(2, (call) => {
  const { process, returnsTo } = call;
  const last = at(call, 1);
  const next = (from: number): void => {
    let here = from;
    while (here < last && process.readLong(here) === 0) here += 4;
    process.cpu.eip = returnsTo;
    if (here >= last) return;
    const address = process.readLong(here);
    process.cpu.push(process.returnHook(() => next(here + 4)));
    process.cpu.eip = address;
  };
  next(at(call, 0));
  return undefined;
});
const mainArguments = cdecl(5, (call) => {
  const { process } = call;
  const list = process.allocateOnHeap(16);
  process.writeLong(list, process.commandLine(call.name.startsWith("__w")));
  process.writeLong(at(call, 0), 1);
  process.writeLong(at(call, 1), list);
  process.writeLong(at(call, 2), list + 8);
  return 0;
});

const startFunctions: Functions = {
  __getmainargs: mainArguments,
  __wgetmainargs: mainArguments,
  _initterm: callsEach,
  _initterm_e: callsEach,
  __set_app_type: always(0, 1),
  __setusermatherr: always(0, 1),
  _controlfp: always(0x9001f, 2),
  _except_handler3: always(1, 4),
  _onexit: cdecl(1, (call) => at(call, 0)),
  atexit: always(0, 1),
  signal: always(0, 2),
  _lock: always(0, 1),
  _unlock: always(0, 1),
  __p__fmode: cell,
  __p__commode: cell,
  __p__environ: cell,
  __p__pgmptr: cell,
  __p__acmdln: cdecl(0, ({ process, name }) => {
    const place = process.runtimeCell(name);
    process.writeLong(place, process.commandLine(false));
    return place;
  }),
  exit: ends,
  _exit: ends,
  _cexit: ends,
  abort: ends,
  _amsg_exit: ends,
};
export const runtimeFunctions: Functions = {
  ...startFunctions,
  malloc: cdecl(1, (call) => call.process.allocateOnHeap(at(call, 0))),
  calloc: cdecl(2, (call) => call.process.allocateOnHeap(at(call, 0) * at(call, 1))),
  realloc: cdecl(2, (call) => {
    const { process } = call;
    const made = process.allocateOnHeap(at(call, 1));
    process.copy(made, at(call, 0), Math.min(process.heapBytesAt(at(call, 0)), at(call, 1)));
    return made;
  }),
  free: always(0, 1),
  memcpy: copies,
  memmove: copies,
  memset: cdecl(3, (call) => {
    call.process.fill(at(call, 0), at(call, 2), at(call, 1));
    return at(call, 0);
  }),
  memcmp: cdecl(3, (call) => compareBytes(call, at(call, 2))),
  strlen: cdecl(1, (call) => textAt(call, 0).length),
  strcmp: cdecl(2, (call) => Buffer.compare(Buffer.from(textAt(call, 0)), Buffer.from(textAt(call, 1)))),
  strcpy: cdecl(2, (call) => {
    call.process.writeText(at(call, 0), textAt(call, 1), 0x1_0000, false);
    return at(call, 0);
  }),
};
