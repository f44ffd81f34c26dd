/** Reads feeds and attachments. Long ones are read in worker threads, because a hostile one may take seconds. */
import { deserialize } from "node:v8";
import { sha256Of } from "#kernel/bytes";
import { createReader, workerFile } from "#kernel/workers";
import { FeedProblem } from "../domain/feeds/feed.ts";
import { type OpenFeed, openFeed } from "../domain/feeds/read-feed.ts";
import {
  type AttachmentDocument,
  type AttachmentParts,
  attachmentPartsOf,
  UNKNOWN_ATTACHMENT,
} from "./attachment-parts.ts";
import type { FeedDocument, FeedParts } from "./tasks.ts";

export type { AttachmentDocument, AttachmentParts } from "./attachment-parts.ts";

/** Shorter documents take no longer to read than to send to a thread. */
const SHORT_BYTES_MAX = 16 * 1024;

const TOO_MUCH = "The document takes too much time or memory.";

const readLong = createReader<FeedDocument, FeedParts>({
  file: workerFile(import.meta.url, "services/podcasts/reading/worker.js"),
  processorMsMax: 60_000,
  threadsMax: 2,
  // Enough for the tree of the largest document.
  heapMbMax: 1536,
  documents: "feeds",
  tooMuch: TOO_MUCH,
  problemOf: (message) => new FeedProblem(message),
});
const readLongAttachment = createReader<AttachmentDocument, AttachmentParts>({
  file: workerFile(import.meta.url, "services/podcasts/reading/attachment-worker.js"),
  processorMsMax: 20_000,
  threadsMax: 1,
  heapMbMax: 768,
  documents: "transcripts and chapters",
  tooMuch: TOO_MUCH,
  problemOf: (message) => new FeedProblem(message),
});

/** `address` is the URL of the document, for relative links. Throws FeedProblem. */
export async function readFeed(
  account: string,
  bytes: Uint8Array,
  { contentType = "", address = "" } = {},
): Promise<OpenFeed> {
  if (bytes.length <= SHORT_BYTES_MAX) return openFeed(bytes, { contentType, address });
  const { feed, itemCount, batches } = await readLong(account, { bytes, contentType, address });
  const batch: OpenFeed["batch"] = (index) => deserialize(batches[index] ?? new Uint8Array());
  return { feed, itemCount, batchCount: batches.length, batch };
}

/** Throws FeedProblem. */
export async function readAttachment(
  account: string,
  document: AttachmentDocument,
): Promise<AttachmentParts> {
  if (document.bytes.length > SHORT_BYTES_MAX) return readLongAttachment(account, document);
  const parts = attachmentPartsOf(document);
  if (!parts) throw new FeedProblem(UNKNOWN_ATTACHMENT);
  return parts;
}

export const hashOf = async (bytes: Uint8Array): Promise<string> =>
  (await sha256Of(bytes)).toString("base64url");
