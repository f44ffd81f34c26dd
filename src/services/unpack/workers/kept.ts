/** Stored form of a result: compressed, with the hash of the unpacked file. */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip, gzipSync } from "node:zlib";
import type { Outcome, Report } from "../unpacking/outcome.ts";

/** The fastest level suffices, because the data is mostly zeros. */
const COMPRESSION = { level: 1 } as const;
const decompress = promisify(gunzip);

export type KeptReport = { readonly report: Report; readonly unpackedSha256: string | undefined };
export type KeptParts = { readonly report: Uint8Array; readonly content?: Uint8Array };

const sha256Of = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

export function keptOf({ report, content }: Outcome): KeptReport & { readonly parts: KeptParts } {
  const kept: KeptReport = { report, unpackedSha256: content && sha256Of(content) };
  return {
    ...kept,
    parts: {
      report: new Uint8Array(gzipSync(JSON.stringify(kept), COMPRESSION)),
      ...(content && { content: new Uint8Array(gzipSync(content, COMPRESSION)) }),
    },
  };
}

export const readReport = async (part: Uint8Array): Promise<KeptReport> =>
  JSON.parse((await decompress(part)).toString("utf8"));
export const readContent = (part: Uint8Array): Promise<Buffer> => decompress(part);
