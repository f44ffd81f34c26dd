/** Import thunks: protectors redirect calls through a few bytes that jump to one system function. */
import { isOfSystem } from "../windows/layout.ts";

const HOPS_MAX = 4;
const JUMP = 0xe9;
const JUMP_SHORT = 0xeb;
const JUMP_THROUGH = 0x25ff;
const PUSH = 0x68;
const RETURN = 0xc3;

type Read = (address: number, into: Uint8Array) => boolean;

/** mov rax, address; jmp rax. */
const LOAD_ACCUMULATOR = 0xb848;
const JUMP_ACCUMULATOR = 0xe0ff;

function nextOf(address: number, read: Read, isWide: boolean): number | undefined {
  const bytes = new Uint8Array(12);
  if (!read(address, bytes) && !read(address, bytes.subarray(0, 6))) return undefined;
  const view = new DataView(bytes.buffer);
  switch (bytes[0]) {
    case JUMP:
      return (address + 5 + view.getInt32(1, true)) >>> 0;
    case JUMP_SHORT:
      return (address + 2 + view.getInt8(1)) >>> 0;
    case PUSH:
      return bytes[5] === RETURN ? view.getUint32(1, true) : undefined;
    default:
      return isWide && isLoad(view) ? view.getUint32(2, true) : throughSlot(address, view, read, isWide);
  }
}
const isLoad = (view: DataView): boolean =>
  view.getUint16(0, true) === LOAD_ACCUMULATOR && view.getUint16(10, true) === JUMP_ACCUMULATOR;
/** 64-bit code addresses the slot relative to the next instruction. */
function throughSlot(address: number, view: DataView, read: Read, isWide: boolean): number | undefined {
  if (view.getUint16(0, true) !== JUMP_THROUGH) return undefined;
  const target = new Uint8Array(4);
  const slot = isWide ? address + 6 + view.getInt32(2, true) : view.getUint32(2, true);
  return read(slot, target) ? new DataView(target.buffer).getUint32(0, true) : undefined;
}

/** Final target of a thunk. Undefined if the bytes are no thunk. */
export function findThunkTarget(address: number, read: Read, isWide: boolean): number | undefined {
  let here: number | undefined = address;
  for (let hop = 0; here !== undefined && hop < HOPS_MAX; hop += 1) {
    here = nextOf(here, read, isWide);
    if (here !== undefined && isOfSystem(here)) return here;
  }
  return undefined;
}
