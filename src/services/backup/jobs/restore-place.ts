/** The folders that an account may restore trees to: its registered folders, and their siblings. */

import { dirname, normalize, sep } from "node:path";
import { parseArn } from "#kernel/arn";
import { BackupSourceError } from "#kernel/backups";
import type { BackupContext } from "../state.ts";
import type { PointRow } from "../tables/index.ts";
import { FOLDER_TYPES, findPath, RESTORE_PATH } from "./sources.ts";

const ENTRIES_AT_ONCE = 500;

const plain = (path: string): string => {
  const whole = normalize(path);
  return whole.length > 1 && whole.endsWith(sep) ? whole.slice(0, -1) : whole;
};
const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder === sep ? sep : `${folder}${sep}`);

async function* registered({ catalog }: BackupContext, type: string): AsyncGenerator<string> {
  for (let after = ""; ; ) {
    const entries = await catalog.list({ type, after, limit: ENTRIES_AT_ONCE });
    for (const path of entries.map(findPath)) if (path !== undefined) yield plain(path);
    if (entries.length < ENTRIES_AT_ONCE) return;
    after = entries.at(-1)?.arn ?? "";
  }
}
/** The folders in the account's catalogue, and the folder of the backup if it belonged to the account. */
async function* placesOf(context: BackupContext, point: PointRow): AsyncGenerator<string> {
  const { [RESTORE_PATH]: own } = JSON.parse(point.restore_metadata) as Record<string, string>;
  if (own !== undefined && parseArn(point.resource_arn)?.account === context.account) yield plain(own);
  for (const type of FOLDER_TYPES) yield* registered(context, type);
}

/** In place of what is the account's own, below it, or as something new beside it; roots are shared by all accounts. */
export async function checkPlace(
  context: BackupContext,
  point: PointRow,
  given: string,
  inPlace: boolean,
): Promise<void> {
  const path = plain(given);
  for await (const place of placesOf(context, point))
    if (isWithin(path, place) || (!inPlace && dirname(path) === dirname(place))) return;
  throw new BackupSourceError(
    `${given} is neither in nor beside a folder of this account: register one there to restore to it.`,
  );
}
