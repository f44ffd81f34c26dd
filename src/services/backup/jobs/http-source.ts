/** An outside resource behind HTTP: GET reads it, PUT restores it, both through the guarded way out. */
import { BackupSourceError } from "#kernel/backups";
import type { CatalogEntry } from "#kernel/catalog";
import { OutboundError, type OutboundRequest, type OutboundResponse } from "#kernel/outbound";
import type { BackupSource } from "#ports/backup-sources";
import type { BackupContext } from "../state.ts";

const BYTES_MAX = 256 * 1024 * 1024;
const TIMEOUT_MS = 600_000;
const RESTORE_URL = "restoreUrl";

function urlOf({ arn, details = {} }: CatalogEntry): string {
  const { url } = details;
  if (typeof url !== "string") throw new BackupSourceError(`details.url of ${arn} does not say where it is.`);
  return url;
}
const originOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).origin : undefined);

async function exchange(
  { outbound }: Pick<BackupContext, "outbound">,
  request: OutboundRequest,
): Promise<OutboundResponse> {
  const answer = await outbound
    .request({ ...request, timeoutMs: TIMEOUT_MS, responseBytesMax: BYTES_MAX })
    .catch((error) => {
      throw error instanceof OutboundError
        ? new BackupSourceError(`${request.url}: ${error.message}`)
        : error;
    });
  if (answer.status < 200 || answer.status > 299)
    throw new BackupSourceError(`${request.method} ${request.url} was answered with ${answer.status}.`);
  return answer;
}
async function wholeOf(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of content) parts.push(part);
  return Buffer.concat(parts);
}

export const httpSource: BackupSource = {
  resourceType: "HttpResource",
  types: ["Vendor::Http::Resource"],
  restoreMetadata: async (_context, resource) => ({ [RESTORE_URL]: urlOf(resource) }),
  renamed: (metadata, name) => ({ [RESTORE_URL]: new URL(name, metadata[RESTORE_URL]).href }),
  async *read(context, resource) {
    yield (await exchange(context, { method: "GET", url: urlOf(resource) })).body;
  },
  async restore(context, content, { metadata, saved, resourceArn, done }) {
    const url = metadata[RESTORE_URL];
    if (url === undefined) throw new BackupSourceError(`Metadata must say ${RESTORE_URL}.`);
    // The user who registered the resource chose the server. A restore must not choose another one.
    if (originOf(url) === undefined || originOf(url) !== originOf(saved[RESTORE_URL] ?? ""))
      throw new BackupSourceError(`${url} is not on the server that the resource was read from.`);
    await exchange(context, { method: "PUT", url, body: await wholeOf(content) });
    await context.transact((inner) => done(inner, resourceArn));
  },
  async remove() {
    throw new BackupSourceError("What was put to an outside address stays there.");
  },
};
