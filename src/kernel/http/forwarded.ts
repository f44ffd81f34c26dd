/** The address of the caller behind proxies. Only headers of trusted proxies count. */
import { BlockList, isIP } from "node:net";

const kept = new WeakMap<readonly string[], BlockList>();

function listOf(networks: readonly string[]): BlockList {
  const known = kept.get(networks);
  if (known) return known;
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", bits] = network.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  kept.set(networks, list);
  return list;
}

const plain = (address: string): string => address.trim().replace(/^::ffff:(?=\d+\.)/i, "");

/** The nearest address that is no trusted proxy. Each proxy appends the address that called it. */
export function callerAddress(
  peer: string,
  forwardedFor: string | readonly string[] | undefined,
  trustedProxies: readonly string[],
): string {
  if (trustedProxies.length === 0 || forwardedFor === undefined) return peer;
  const list = listOf(trustedProxies);
  const isTrusted = (address: string): boolean =>
    isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
  let caller = plain(peer);
  for (const hop of String(forwardedFor).split(",").reverse()) {
    if (!isTrusted(caller)) break;
    const before = plain(hop);
    if (isIP(before) === 0) break;
    caller = before;
  }
  return caller;
}
