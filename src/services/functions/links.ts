/** Addresses that carry their own authority: sealed, for one purpose and a limited time. */
import type { Context } from "#kernel/operation";
import type { StorageSource } from "./domain/index.ts";

export type Link = {
  readonly purpose: "upload" | "download";
  readonly account: string;
  readonly expiresAtMs: number;
  readonly source: StorageSource;
};
export const UPLOAD_MS = 30 * 60 * 1000;
export const DOWNLOAD_MS = 30 * 60 * 1000;

export const sealLink = (secrets: Pick<Context["secrets"], "seal">, link: Link): string =>
  secrets.seal(JSON.stringify(link));
/** Returns undefined if the link was made elsewhere or changed. */
export function findLink(secrets: Pick<Context["secrets"], "open">, sealed: string): Link | undefined {
  try {
    return JSON.parse(secrets.open(sealed)) as Link;
  } catch {
    return undefined;
  }
}
