/** Worker entry: reads a transcript or a chapter file. */
import { type Metered, type Read, startThreadMeter } from "#kernel/workers";
import {
  type AttachmentDocument,
  type AttachmentParts,
  attachmentPartsOf,
  UNKNOWN_ATTACHMENT,
} from "./attachment-parts.ts";

export async function run({
  meter,
  ...document
}: Metered<AttachmentDocument>): Promise<Read<AttachmentParts>> {
  startThreadMeter(meter);
  return attachmentPartsOf(document) ?? { problem: UNKNOWN_ATTACHMENT };
}
