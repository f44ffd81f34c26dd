/** What is kept of a transcript or a chapter file; on the main thread or in a worker thread. */
import { readChapters, readTranscript } from "../domain/feeds/transcripts.ts";

export type AttachmentDocument = {
  readonly kind: "transcript" | "chapters";
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** URL of the document. */
  readonly address: string;
};
/** `json`: the cues or the chapters. `text`: of a transcript. */
export type AttachmentParts = { readonly json: string; readonly text: string };

/** Undefined if the document is of no known kind. */
export function attachmentPartsOf(document: AttachmentDocument): AttachmentParts | undefined {
  const { kind, bytes, contentType, address } = document;
  if (kind === "transcript") {
    const transcript = readTranscript(bytes, contentType);
    return transcript && { json: JSON.stringify(transcript.cues), text: transcript.text };
  }
  const chapters = readChapters(bytes, contentType, address);
  return chapters && { json: JSON.stringify(chapters), text: "" };
}
export const UNKNOWN_ATTACHMENT = "The file is of no kind that is known.";
