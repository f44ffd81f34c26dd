/**
 * A small packer of 64-bit executables, for samples that unpack by another method than UPX: everything behind the headers is compressed and
 * encrypted, nothing is imported, and the stub resolves imports, relocates and calls the callbacks of threads itself.
 */
import { DIRECTORY, mapPe, readPe } from "../../dist/services/unpack/pe/file.js";

const PAGE = 0x1000;
const SECTOR = 0x200;
const HEAD_BYTES = 56;
const THREAD_TABLE_BYTES = 40;
const CALLBACKS_OFFSET = 24;
const WINDOW = 0xfff;
const LENGTH_MIN = 3;
const LENGTH_MAX = 18;
const READ_WRITE_EXECUTE = 0xe000_0060;
const up = (value, to) => Math.ceil(value / to) * to;

/** Literals and pairs of distance and length, eight to a byte of flags. */
function compressed(bytes) {
  const out = [];
  const last = new Map();
  let flagsAt = 0;
  let count = 8;
  const put = (flag, ...content) => {
    if (count === 8) {
      flagsAt = out.push(0) - 1;
      count = 0;
    }
    out[flagsAt] |= flag << count;
    count += 1;
    out.push(...content);
  };
  for (let at = 0; at < bytes.length; ) {
    const key = (bytes[at] << 16) | (bytes[at + 1] << 8) | bytes[at + 2];
    const from = last.get(key);
    last.set(key, at);
    let length = 0;
    if (from !== undefined && at - from <= WINDOW)
      while (length < LENGTH_MAX && at + length < bytes.length && bytes[from + length] === bytes[at + length])
        length += 1;
    if (length >= LENGTH_MIN) {
      put(0, (at - from) & 0xff, ((at - from) >> 8) | ((length - LENGTH_MIN) << 4));
      at += length;
    } else {
      put(1, bytes[at]);
      at += 1;
    }
  }
  return Buffer.from(out);
}
function encrypt(bytes, key) {
  let state = key;
  for (const index of bytes.keys()) {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    bytes[index] ^= Number(state >> 56n);
  }
  return bytes;
}
/** Keeps what the stub is told of the stack and of its arguments: push rcx, rdx, r8; call it with the head; jmp rax. */
function entryCode(distanceToHead, distanceToStub) {
  const code = Buffer.from(
    "5152415048 83ec20 488d0d00000000 e800000000 4883c420 41585a59 ffe0".replaceAll(" ", ""),
    "hex",
  );
  code.writeInt32LE(distanceToHead - 15, 11);
  code.writeInt32LE(distanceToStub - 20, 16);
  return code;
}

export function pack(content, stub, key = 0x1234_5678_9abc_def0n) {
  const file = readPe(content);
  const image = Buffer.from(mapPe(file));
  const [imports, relocations, threads] = [DIRECTORY.imports, DIRECTORY.relocations, DIRECTORY.tls].map(
    (number) => file.directories[number],
  );
  const end = file.imageBytes;
  const payload = encrypt(compressed(image.subarray(PAGE, end)), key);
  const head = Buffer.alloc(HEAD_BYTES);
  const callbacks = threads.address === 0 ? 0 : threads.address + CALLBACKS_OFFSET;
  const fields = [end, payload.length, end - PAGE, PAGE, file.entryPoint, imports.address];
  for (const [index, value] of [...fields, relocations.address, relocations.bytes, callbacks].entries())
    head.writeUInt32LE(value, index * 4);
  const optional = file.headerOffset + 24;
  head.writeBigUInt64LE(content.readBigUInt64LE(optional + 24), 40);
  head.writeBigUInt64LE(key, 48);
  // Its own table of what each thread has keeps the place of the number, and names no callbacks.
  const threadTable = Buffer.from(image.subarray(threads.address, threads.address + THREAD_TABLE_BYTES));
  threadTable.fill(0, 0, 16).fill(0, CALLBACKS_OFFSET);
  const ownRelocations = Buffer.alloc(12);
  const tables = [head, payload, stub];
  const entry = head.length + payload.length + stub.length;
  const code = entryCode(-entry, -stub.length);
  const threadAt = up(entry + code.length, 16);
  const relocationsAt = threadAt + THREAD_TABLE_BYTES;
  ownRelocations.writeUInt32LE(end + (threadAt - (threadAt % PAGE)), 0);
  ownRelocations.writeUInt32LE(12, 4);
  ownRelocations.writeUInt16LE(0xa000 | ((threadAt + 16) % PAGE), 8);
  const second = Buffer.concat([
    ...tables,
    code,
    Buffer.alloc(threadAt - entry - code.length),
    threadTable,
    ownRelocations,
  ]);
  const headers = Buffer.alloc(SECTOR * 2);
  content.copy(headers, 0, 0, optional + 0xf0);
  headers.writeUInt16LE(2, file.headerOffset + 6);
  headers.writeUInt16LE(0xf0, file.headerOffset + 20);
  headers.writeUInt32LE(end + entry, optional + 16);
  headers.writeUInt32LE(up(end + second.length, PAGE), optional + 56);
  headers.writeUInt32LE(headers.length, optional + 60);
  const directory = (number, address, bytes) => {
    headers.writeUInt32LE(address, optional + 112 + number * 8);
    headers.writeUInt32LE(bytes, optional + 116 + number * 8);
  };
  for (const number of [DIRECTORY.imports, DIRECTORY.functions, DIRECTORY.importTable])
    directory(number, 0, 0);
  if (threads.address !== 0) directory(DIRECTORY.tls, end + threadAt, THREAD_TABLE_BYTES);
  if (relocations.address !== 0) directory(DIRECTORY.relocations, end + relocationsAt, ownRelocations.length);
  const table = optional + 0xf0;
  const section = (index, name, values) => {
    headers.fill(0, table + index * 40, table + index * 40 + 40);
    headers.write(name, table + index * 40, "latin1");
    for (const [i, value] of values.entries()) headers.writeUInt32LE(value, table + index * 40 + 8 + i * 4);
    headers.writeUInt32LE(READ_WRITE_EXECUTE, table + index * 40 + 36);
  };
  section(0, "GREEN0", [end - PAGE, PAGE, 0, 0]);
  section(1, "GREEN1", [second.length, end, up(second.length, SECTOR), headers.length]);
  const body = Buffer.alloc(up(second.length, SECTOR));
  second.copy(body);
  return Buffer.concat([headers, body]);
}
