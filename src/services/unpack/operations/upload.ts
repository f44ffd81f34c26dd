/** An uploaded file and its analysis. */
import { sha256Of } from "#kernel/bytes";
import type { UploadedFile } from "#kernel/operation";
import { FILE_BYTES_MAX, plainNameOf } from "../domain/keeping.ts";
import { errors } from "../errors.ts";
import type { Report } from "../unpacking/outcome.ts";

export type FileFacts = { readonly name: string; readonly size: number; readonly sha256: string };
export type Upload = FileFacts & { readonly bytes: Uint8Array };
export type Analysis = {
  readonly file: FileFacts;
  readonly report: Report;
  /** The rebuilt executable. */
  readonly unpacked: Upload | undefined;
  readonly tookMs: number;
  readonly isCached: boolean;
};

/** The file of a multipart form. */
export async function uploadOf(given: UploadedFile | string | readonly unknown[]): Promise<Upload> {
  if (typeof given !== "object" || Array.isArray(given) || !("bytes" in given))
    throw errors.notAFile("The form must have one file named 'file'.");
  const { bytes, filename } = given;
  if (bytes.length > FILE_BYTES_MAX)
    throw errors.notAFile(`The file is larger than the ${FILE_BYTES_MAX} bytes allowed here.`);
  const sha256 = (await sha256Of(bytes)).toString("hex");
  return { name: plainNameOf(filename ?? ""), size: bytes.length, sha256, bytes };
}
