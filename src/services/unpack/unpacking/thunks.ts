/** Protectors send a program's calls over a few bytes of their own, each of which jumps to one function of the system. */
import { SYSTEM_START } from "../windows/layout.ts";

const HOPS_MAX = 4;
const JUMP = 0xe9;
const JUMP_SHORT = 0xeb;
const JUMP_THROUGH = 0x25ff;
const PUSH = 0x68;
const RETURN = 0xc3;

type Read = (address: number, into: Uint8Array) => boolean;

function nextOf(address: number, read: Read): number | undefined {
  const bytes = new Uint8Array(6);
  if (!read(address, bytes)) return undefined;
  const view = new DataView(bytes.buffer);
  switch (bytes[0]) {
    case JUMP:
      return (address + 5 + view.getInt32(1, true)) >>> 0;
    case JUMP_SHORT:
      return (address + 2 + view.getInt8(1)) >>> 0;
    case PUSH:
      return bytes[5] === RETURN ? view.getUint32(1, true) : undefined;
    default: {
      if (view.getUint16(0, true) !== JUMP_THROUGH) return undefined;
      const target = new Uint8Array(4);
      return read(view.getUint32(2, true), target)
        ? new DataView(target.buffer).getUint32(0, true)
        : undefined;
    }
  }
}

/** Where such bytes lead to; undefined where they are none. */
export function findThunkTarget(address: number, read: Read): number | undefined {
  let here: number | undefined = address;
  for (let hop = 0; here !== undefined && hop < HOPS_MAX; hop += 1) {
    here = nextOf(here, read);
    if (here !== undefined && here >= SYSTEM_START) return here;
  }
  return undefined;
}
