/** File functions. Only the program's own file exists; writes are discarded. */
import { READ_WRITE } from "../../emulator/memory.ts";
import { answering, at, bothSpellings, constant, type Functions } from "../call.ts";

const INVALID_HANDLE = 0xffff_ffff;
const NOT_FOUND = 2;

export const fileFunctions: Functions = {
  ...bothSpellings("CreateFile", 7, ({ process }, text) => {
    const handle = process.files.open(text(0));
    if (handle === undefined) process.lastError = NOT_FOUND;
    return handle ?? INVALID_HANDLE;
  }),
  _lopen: answering(
    2,
    (call) => call.process.files.open(call.process.readText(at(call, 0))) ?? INVALID_HANDLE,
  ),
  _lread: answering(3, (call) => {
    const piece = call.process.files.read(at(call, 0), at(call, 2));
    call.process.memory.load(at(call, 1), piece);
    return piece.length;
  }),
  _llseek: answering(3, (call) => call.process.files.seek(at(call, 0), at(call, 1) | 0, at(call, 2))),
  _lclose: constant(1, 0),
  ReadFile: answering(5, (call) => {
    const { process } = call;
    const piece = process.files.read(at(call, 0), at(call, 2));
    process.memory.load(at(call, 1), piece);
    if (at(call, 3) !== 0) process.writeLong(at(call, 3), piece.length);
    return process.files.isOpen(at(call, 0)) ? 1 : 0;
  }),
  WriteFile: answering(5, (call) => {
    if (at(call, 3) !== 0) call.process.writeLong(at(call, 3), at(call, 2));
    return 1;
  }),
  SetFilePointer: answering(4, (call) => call.process.files.seek(at(call, 0), at(call, 1) | 0, at(call, 3))),
  GetFileSize: answering(2, (call) => {
    if (at(call, 1) !== 0) call.process.writeLong(at(call, 1), 0);
    return call.process.files.isOpen(at(call, 0)) ? call.process.files.bytes : INVALID_HANDLE;
  }),
  GetFileType: constant(1, 1),
  CloseHandle: constant(1, 1),
  ...bothSpellings("CreateFileMapping", 6, (call) => at(call, 0)),
  MapViewOfFile: answering(5, (call) => {
    const { process } = call;
    if (!process.files.isOpen(at(call, 0))) return 0;
    const { content } = process.files;
    const made = process.allocate(0, content.length, READ_WRITE);
    process.memory.load(made, content);
    return made;
  }),
  UnmapViewOfFile: constant(1, 1),
  ...bothSpellings("GetFileAttributes", 1, ({ process }, text) =>
    process.files.isOwn(text(0)) ? 0x20 : INVALID_HANDLE,
  ),
  ...bothSpellings("FindFirstFile", 2, () => INVALID_HANDLE),
  FindClose: constant(1, 1),
  ...bothSpellings("DeleteFile", 1, () => 0),
  ...bothSpellings("GetDriveType", 1, () => 3),
  ...bothSpellings("GetVolumeInformation", 8, (call) => {
    if (at(call, 3) !== 0) call.process.writeLong(at(call, 3), 0x5c3a_11e7);
    return 1;
  }),
  GetStdHandle: answering(1, (call) => 0x100 - (at(call, 0) | 0)),
  SetHandleCount: answering(1, (call) => at(call, 0)),
  SetStdHandle: constant(2, 1),
};
