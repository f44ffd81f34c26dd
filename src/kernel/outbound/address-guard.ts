/** Decides which hosts may be reached: resolves a host once and returns only allowed addresses. */
import { lookup as systemLookup } from "node:dns/promises";
import { isIPv6 } from "node:net";
import { findIpAddress, type IpAddress, kindOfAddress, parseAllowances } from "./address-ranges.ts";
import { OutboundError } from "./errors.ts";
import { NameQueue } from "./name-queue.ts";

export type LookupAnswer = {
  readonly address: string;
  readonly family: number;
};

export type VettedAddress = {
  readonly address: string;
  readonly family: 4 | 6;
};

/**
 * A host whose every address is allowed. Connect to these addresses: resolving the name again would undo the check.
 */
export type VettedHost = {
  readonly host: string;
  readonly addresses: readonly [VettedAddress, ...VettedAddress[]];
};

export type AddressGuardOptions = {
  readonly listensOnLoopbackOnly: boolean;
  readonly allowedNetworks: readonly string[];
  readonly lookup?: (host: string) => Promise<readonly LookupAnswer[]>;
};

export type AddressGuard = {
  /** Takes a host from `hostOf` or `parseHost`. */
  vet(host: string): Promise<VettedHost>;
};

const ADDRESSES_PER_HOST_MAX = 32;
const LOOPBACK_ADDRESSES: readonly LookupAnswer[] = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];

export function createAddressGuard(options: AddressGuardOptions): AddressGuard {
  const allowances = parseAllowances(options.allowedNetworks);
  const names = new NameQueue(
    options.lookup ?? ((host) => systemLookup(host, { all: true, verbatim: true })),
  );

  function assertAllowed(host: string, address: IpAddress, isLiteral: boolean): void {
    const kind = kindOfAddress(address);
    if (kind.reach === "public") return;
    if (kind.reach === "loopback" && options.listensOnLoopbackOnly) return;
    if (allowances.allowsName(host) || allowances.allowsAddress(address)) return;
    // The message does not contain the address behind a name: it would reveal internal networks.
    const subject = isLiteral ? `${host} is` : `${host} leads to`;
    throw new OutboundError(
      "refusedAddress",
      `${subject} ${kind.title}, which may not be reached unless the configuration allows it.`,
    );
  }

  return {
    async vet(host) {
      const literal = findIpAddress(host);
      const answers = literal ? [{ address: host, family: 0 }] : await resolve(host, names);
      const vetted = answers.map((answer) => {
        const address = findIpAddress(answer.address);
        if (!address) throw unresolvable(host);
        assertAllowed(host, address, literal !== undefined);
        return { address: address.toString(), family: address.kind() === "ipv4" ? 4 : 6 } as const;
      });
      const [first, ...rest] = vetted;
      if (!first) throw unresolvable(host);
      return { host, addresses: [first, ...rest.slice(0, ADDRESSES_PER_HOST_MAX - 1)] };
    },
  };
}

async function resolve(
  host: string,
  names: NameQueue<readonly LookupAnswer[]>,
): Promise<readonly LookupAnswer[]> {
  if (host === "localhost" || host.endsWith(".localhost")) return LOOPBACK_ADDRESSES;
  try {
    return await names.find(host);
  } catch (error) {
    throw unresolvable(host, error);
  }
}

function unresolvable(host: string, cause?: unknown): OutboundError {
  return new OutboundError("unresolvable", `The name ${host} has no usable address.`, { cause });
}

/** The host of a parsed URL: lower case, dotted IPv4 in any spelling, no brackets, no final dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}

/** Parses a single host (a SIP domain, an SDP address) by the rules of a URL's host. */
export function parseHost(text: string): string {
  const bracketed = isIPv6(text) ? `[${text}]` : text;
  const isPlain = /^(\[[0-9a-f:.]+\]|[^\s:/\\?#@[\]%]+)$/i.test(bracketed);
  const url = isPlain && bracketed.length <= 255 ? findUrl(`http://${bracketed}/`) : undefined;
  const host = url ? hostOf(url) : "";
  if (host === "") throw new OutboundError("badUrl", "The host is neither a host name nor an IP address.");
  return host;
}

function findUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
