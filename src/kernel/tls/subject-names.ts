/** The names and addresses a server certificate is valid for. */
import { domainToASCII } from "node:url";
import ipaddr from "ipaddr.js";

export type SubjectName = {
  readonly type: "dns" | "ip";
  readonly value: string;
};

const HOSTS_MAX = 500;
/** Most clients accept no wildcard directly under a top-level name, so each `<name>.localhost` must be listed. */
const OWN_NAMES: readonly string[] = ["localhost", "*.localhost", "127.0.0.1", "::1"];

/** Our own names first, then the given hosts, each once. Throws if one is neither a host name nor an address. */
export function subjectNamesOf(hosts: readonly string[]): readonly SubjectName[] {
  if (hosts.length > HOSTS_MAX) throw new Error(`A certificate cannot name more than ${HOSTS_MAX} hosts.`);
  const names = [...OWN_NAMES, ...hosts].map(parseSubjectName);
  return [...new Map(names.map((name) => [name.value, name])).values()];
}

function parseSubjectName(host: string): SubjectName {
  const bare = host.replace(/^\[(.*)\]$/, "$1");
  if (ipaddr.IPv4.isValidFourPartDecimal(bare) || ipaddr.IPv6.isValid(bare)) {
    return { type: "ip", value: ipaddr.process(bare).toString() };
  }
  const isWildcard = bare.startsWith("*.");
  const name = domainToASCII(isWildcard ? bare.slice(2) : bare).replace(/\.$/, "");
  const isName =
    name.length <= 250 && /^[a-z0-9_]([a-z0-9_-]{0,62})(\.[a-z0-9_]([a-z0-9_-]{0,62}))*$/.test(name);
  if (!isName || ipaddr.IPv4.isValid(name)) {
    throw new Error(
      `"${host}" is neither a host name nor an IP address, so no certificate can be made for it.`,
    );
  }
  return { type: "dns", value: isWildcard ? `*.${name}` : name };
}

/** Whether the alternative names of a certificate, as node:crypto writes them, are exactly these. */
export function namesExactly(subjectAltName: string | undefined, names: readonly SubjectName[]): boolean {
  const written = (subjectAltName ?? "").split(", ").map((entry) => entry.toLowerCase());
  const wanted = names.map(({ type, value }) =>
    type === "dns" ? `dns:${value}` : `ip address:${ipaddr.parse(value).toNormalizedString()}`,
  );
  return written.sort().join() === wanted.sort().join();
}
