/** What sources of backups share: content that is one document, tags of what is restored, and how they refuse. */

/** A backup or a restore that cannot be, in words for its job. */
export class BackupSourceError extends Error {}

/** Content that is one JSON document. */
export async function* jsonContent(document: unknown): AsyncGenerator<Uint8Array> {
  yield Buffer.from(JSON.stringify(document));
}
export async function readJson<Document>(content: AsyncIterable<Uint8Array>): Promise<Document> {
  const parts: Uint8Array[] = [];
  for await (const part of content) parts.push(part);
  return JSON.parse(Buffer.concat(parts).toString("utf8")) as Document;
}
type Tags = Readonly<Record<string, string>>;
/** The tags of what is restored: those that were saved with it and those of the backup, or none. */
export const restoredTags = (
  saved: Tags,
  { tags, withoutTags = false }: { readonly tags: Tags; readonly withoutTags?: boolean },
): Tags => (withoutTags ? {} : { ...saved, ...tags });

/** Said in the metadata of restores that may write over what is there. */
export const IN_PLACE = "inPlace";
