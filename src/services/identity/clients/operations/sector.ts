/** Pairwise subjects: which clients share their names for people. A sector is a host name. */

import type { Context } from "#kernel/operation";
import { OutboundError } from "#kernel/outbound";
import type { SectorMetadata } from "../domain/metadata.ts";
import { findCallbackProblem } from "../domain/redirect-uris.ts";
import { errors } from "../errors.ts";
import type { ClientBody } from "../wire.ts";

const FETCH_TIMEOUT_MS = 5000;
const LIST_BYTES_MAX = 256 * 1024;

const invalid = (member: string, problem: string) =>
  errors.invalidClientMetadata(`${member}: ${problem}.`, { target: member });

function sectorOfRedirects(redirectUris: readonly string[]): string {
  const hosts = [...new Set(redirectUris.map((uri) => new URL(uri).hostname))];
  const [host = ""] = hosts;
  if (hosts.length > 1)
    throw invalid("subject_type", "pairwise with redirects to several hosts needs a sector_identifier_uri");
  if (host === "")
    throw invalid("subject_type", "pairwise needs a redirect that names a host, or a sector_identifier_uri");
  return host;
}

/** What is said; `checkSector` sees whether it is true. */
export function readSector(body: ClientBody, redirectUris: readonly string[]): SectorMetadata {
  const { subject_type: type = "public", sector_identifier_uri: uri } = body;
  const problem = uri === undefined ? undefined : findCallbackProblem(uri);
  if (problem !== undefined) throw invalid("sector_identifier_uri", problem);
  return {
    ...(uri !== undefined && { sectorIdentifierUri: uri }),
    ...(type === "pairwise" && {
      sector: uri === undefined ? sectorOfRedirects(redirectUris) : new URL(uri).hostname,
    }),
  };
}

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
    if (error instanceof OutboundError)
      throw invalid("sector_identifier_uri", error.message.replace(/\.$/, ""));
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The address must list every redirect: else anybody could claim to be of somebody's sector. Not inside a transaction. */
export async function checkSector(
  context: Pick<Context, "outbound">,
  metadata: SectorMetadata & { readonly redirectUris: readonly string[] },
): Promise<void> {
  const { sectorIdentifierUri: url, redirectUris } = metadata;
  if (url === undefined) return;
  const list = await findList(context, url);
  if (!Array.isArray(list))
    throw invalid("sector_identifier_uri", "it does not answer with a JSON list of redirect URLs");
  const missing = redirectUris.find((uri) => !list.includes(uri));
  if (missing !== undefined) throw invalid("sector_identifier_uri", `its list lacks ${missing}`);
}
