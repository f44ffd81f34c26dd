/** Process list functions. The list has System, the desktop as the parent, and the program. */
import { answering, at, type Call, constant, type Functions } from "../call.ts";
import { OWN_PATH, PROCESS_ID } from "../layout.ts";

const SNAPSHOT = 0x400;
const DESKTOP_ID = 0x2c8;
const SYSTEM_ID = 4;
const NAME_OFFSET = 36;
const NAME_MAX = 260;
const NO_MORE_FILES = 18;

type Listed = { readonly id: number; readonly parent: number; readonly name: string };
const listed: readonly Listed[] = [
  { id: SYSTEM_ID, parent: 0, name: "System" },
  { id: DESKTOP_ID, parent: SYSTEM_ID, name: "explorer.exe" },
  { id: PROCESS_ID, parent: DESKTOP_ID, name: OWN_PATH.split("\\").at(-1) ?? "" },
];

function writeEntry(call: Call, index: number, isWide: boolean): number {
  const { process } = call;
  const found = listed[index];
  if (!found) {
    process.lastError = NO_MORE_FILES;
    return 0;
  }
  const entry = at(call, 1);
  for (const [place, value] of [0, found.id, 0, 0, 1, found.parent, 8, 0].entries())
    process.writeLong(entry + 4 + place * 4, value);
  process.writeText(entry + NAME_OFFSET, found.name, NAME_MAX, isWide);
  return 1;
}
const first = (isWide: boolean) =>
  answering(2, (call) => {
    call.process.listedProcesses = 1;
    return writeEntry(call, 0, isWide);
  });
const next = (isWide: boolean) =>
  answering(2, (call) => {
    const index = call.process.listedProcesses;
    call.process.listedProcesses = index + 1;
    return writeEntry(call, index, isWide);
  });

export const processFunctions: Functions = {
  CreateToolhelp32Snapshot: constant(2, SNAPSHOT),
  Process32First: first(false),
  Process32FirstW: first(true),
  Process32Next: next(false),
  Process32NextW: next(true),
  Module32First: constant(2, 0),
  Module32Next: constant(2, 0),
  Thread32First: constant(2, 0),
  Thread32Next: constant(2, 0),
};
