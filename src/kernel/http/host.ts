/** The Host header: answers contain addresses made from it, so it must be a host and nothing else. */
import { makeRoom } from "../memory/index.ts";

const REMEMBERED_MAX = 1000;
/** Characters that would end the host, or begin another one, inside an address. */
const FOREIGN = /[\s/\\?#@]/;
/** A cache: nearly all requests name one of a few hosts. */
const sound = new Set<string>();

export function isSoundHost(host: string): boolean {
  if (sound.has(host)) return true;
  if (FOREIGN.test(host) || !URL.canParse(`http://${host}/`)) return false;
  makeRoom(sound, REMEMBERED_MAX);
  sound.add(host);
  return true;
}
