/** The Host header: addresses in answers are made of it, so it has to be a host, and nothing but a host. */

const REMEMBERED_MAX = 1000;
/** What would end the host, or begin it anew, inside an address. */
const FOREIGN = /[\s/\\?#@]/;
/** Nearly all requests name one of a few. */
const sound = new Set<string>();

export function isSoundHost(host: string): boolean {
  if (sound.has(host)) return true;
  if (FOREIGN.test(host) || !URL.canParse(`http://${host}/`)) return false;
  if (sound.size >= REMEMBERED_MAX) sound.clear();
  sound.add(host);
  return true;
}
