/** Classifies IP addresses, and knows which addresses the configuration allows. */
import ipaddr from "ipaddr.js";

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/** "public" is always allowed, "loopback" depends on where we listen, and the rest is refused. */
export type AddressKind = {
  readonly reach: "public" | "loopback" | "refused";
  readonly title: string;
};

export type Allowances = {
  allowsName(host: string): boolean;
  allowsAddress(address: IpAddress): boolean;
};

const RANGE_TITLES: Readonly<Record<string, string>> = {
  unspecified: "an unspecified address",
  broadcast: "the broadcast address",
  multicast: "a multicast address",
  linkLocal: "a link-local address",
  carrierGradeNat: "a carrier-grade NAT address",
  private: "a private address",
  uniqueLocal: "a unique-local address",
};

/** Metadata services outside of the special ranges. */
const METADATA_ADDRESSES: readonly ipaddr.IPv4[] = [ipaddr.IPv4.parse("168.63.129.16")];

const PUBLIC: AddressKind = { reach: "public", title: "a public address" };
const LOOPBACK: AddressKind = { reach: "loopback", title: "a loopback address" };

/** Only 2000::/3 of IPv6 is public. Everything else is special or unassigned. */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("2000::"), 3];
const NAT64: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("64:ff9b::"), 96];

/** Reads an address as the operating system would connect to it: IPv4-mapped IPv6 is IPv4. */
export function findIpAddress(text: string): IpAddress | undefined {
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined;
}

export function kindOfAddress(address: IpAddress): AddressKind {
  return address.kind() === "ipv4" ? kindOfIpv4(address as ipaddr.IPv4) : kindOfIpv6(address as ipaddr.IPv6);
}

function kindOfIpv4(address: ipaddr.IPv4): AddressKind {
  if (METADATA_ADDRESSES.some((metadata) => address.match(metadata, 32)))
    return refused("a metadata service");
  const range = address.range();
  if (range === "unicast") return PUBLIC;
  return range === "loopback" ? LOOPBACK : refused(titleOfRange(range));
}

function kindOfIpv6(address: ipaddr.IPv6): AddressKind {
  const range = address.range();
  if (range === "loopback") return LOOPBACK;
  if (range === "unicast" && address.match(GLOBAL_UNICAST)) return PUBLIC;
  // A NAT64 gateway leads to the IPv4 address inside, from its own position: its loopback is not ours.
  if (address.match(NAT64)) {
    const inner = kindOfIpv4(new ipaddr.IPv4(address.toByteArray().slice(12)));
    return inner.reach === "public" ? PUBLIC : refused(`a gateway to ${inner.title}`);
  }
  return refused(titleOfRange(range));
}

function refused(title: string): AddressKind {
  return { reach: "refused", title };
}

function titleOfRange(range: string): string {
  return RANGE_TITLES[range] ?? "a reserved address";
}

/** Entries are CIDR ranges, single addresses, host names, or `*.` followed by a domain. Throws on anything else. */
export function parseAllowances(entries: readonly string[]): Allowances {
  const ranges: [IpAddress, number][] = [];
  const names = new Set<string>();
  const suffixes: string[] = [];
  for (const entry of entries) {
    const range = findRange(entry);
    if (range) ranges.push(range);
    else if (entry.startsWith("*.")) suffixes.push(hostNameOf(entry.slice(2), entry));
    else names.add(hostNameOf(entry, entry));
  }
  return {
    allowsName: (host) => names.has(host) || suffixes.some((suffix) => host.endsWith(`.${suffix}`)),
    allowsAddress: (address) =>
      ranges.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits)),
  };
}

function findRange(entry: string): [IpAddress, number] | undefined {
  if (ipaddr.IPv4.isValidCIDRFourPartDecimal(entry) || ipaddr.IPv6.isValidCIDR(entry))
    return ipaddr.parseCIDR(entry);
  if (!ipaddr.IPv4.isValidFourPartDecimal(entry) && !ipaddr.IPv6.isValid(entry)) return undefined;
  const address = ipaddr.process(entry);
  return [address, address.kind() === "ipv4" ? 32 : 128];
}

function hostNameOf(text: string, entry: string): string {
  const name = text.toLowerCase().replace(/\.$/, "");
  const looksLikeName =
    /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(name) && !/(^|\.)\d+$/.test(name) && name.length <= 253;
  if (!looksLikeName) {
    throw new Error(`Allowed network "${entry}" is neither a CIDR range, an address nor a host name.`);
  }
  return name;
}

const PRIVATE_RANGES: ReadonlySet<string> = new Set(["loopback", "private", "uniqueLocal", "linkLocal"]);
/** Whether an address belongs to this machine or to a private network. An unreadable one does not. */
export function isPrivateAddress(text: string): boolean {
  return PRIVATE_RANGES.has(findIpAddress(text)?.range() ?? "");
}
