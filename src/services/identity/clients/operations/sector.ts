/** Pairwise subjects: which clients share their names for people. A sector is a host name. */

import type { Context } from "#kernel/operation";
import { OutboundError } from "#kernel/outbound";
import type { SectorMetadata } from "../domain/metadata.ts";
import { errors } from "../errors.ts";

const FETCH_TIMEOUT_MS = 5000;
const LIST_BYTES_MAX = 256 * 1024;

const MEMBER = "sector_identifier_uri";
const invalid = (problem: string) =>
  errors.invalidClientMetadata(`${MEMBER}: ${problem}.`, { target: MEMBER });

async function fetchList({ outbound }: Pick<Context, "outbound">, url: string): Promise<unknown> {
  // The host of the address is the sector, so a redirect to another one is no answer.
  const { status, body } = await outbound.request({
    method: "GET",
    url,
    headers: { accept: "application/json" },
    timeoutMs: FETCH_TIMEOUT_MS,
    responseBytesMax: LIST_BYTES_MAX,
    redirectsMax: 0,
  });
  return status === 200 ? JSON.parse(body.toString("utf8")) : undefined;
}
async function findList(context: Pick<Context, "outbound">, url: string): Promise<unknown> {
  try {
    return await fetchList(context, url);
  } catch (error) {
    if (error instanceof OutboundError) throw invalid(error.message.replace(/\.$/, ""));
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * The sector document must list every redirect. Otherwise anybody could claim to belong to another sector.
 * Must not run inside a transaction.
 */
export async function checkSector(
  context: Pick<Context, "outbound">,
  metadata: SectorMetadata & { readonly redirectUris: readonly string[] },
): Promise<void> {
  const { sectorIdentifierUri: url, redirectUris } = metadata;
  if (url === undefined) return;
  const list = await findList(context, url);
  if (!Array.isArray(list)) throw invalid("it does not answer with a JSON list of redirect URLs");
  const missing = redirectUris.find((uri) => !list.includes(uri));
  if (missing !== undefined) throw invalid(`its list lacks ${missing}`);
}
