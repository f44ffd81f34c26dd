/**
 * Documents that the build has made and saved (`tools/write-documents.mjs`). Making the document of all services takes
 * a second of processor time and 85 MB of heap; reading a saved one takes milliseconds. Documents of other sets of
 * services, such as those of `--services`, are made when they are asked for.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { packageVersion } from "../manifest/version.ts";
import { workerFile } from "../workers/worker-file.ts";

/** The administration has more operations if more services are mounted. */
type Counted = { readonly name: string; readonly mount: string; readonly operations: number };

/** The file in `dist` for a set of services. */
export function documentFileOf(services: readonly Counted[]): string {
  const parts = services.map(({ name, mount, operations }) => [name, mount, operations]);
  const key = JSON.stringify([packageVersion(), ...parts]);
  return `openapi/${createHash("sha256").update(key).digest("hex").slice(0, 16)}.json.gz`;
}

const unpack = promisify(gunzip);
export async function findSavedDocument(services: readonly Counted[]): Promise<Buffer | undefined> {
  try {
    return await unpack(await readFile(workerFile(import.meta.url, documentFileOf(services))));
  } catch {
    return undefined;
  }
}
