/** Finds names without objects, and objects that nothing names. */
import { countLarge, type Upkeep } from "./names.ts";
import { LARGE_BYTES_MIN } from "./objects.ts";
import { getStore, walk } from "./walk.ts";

export type Verified = {
  readonly objects: number;
  readonly bytes: number;
  /** Named by a row, but not in the store. */
  readonly missing: number;
  /** The first of them. */
  readonly missingNames: string[];
  /** In the store, but named by no row. They are removed after the grace time. */
  readonly unnamed: number;
  /** Large bytes that are still in the database. */
  readonly inDatabase: number;
};

const NAMES_SHOWN_MAX = 100;

export async function verifyObjects(upkeep: Upkeep): Promise<Verified> {
  const store = getStore(upkeep);
  const missing: string[] = [];
  const found = { objects: 0, bytes: 0, missing: 0, unnamed: 0 };
  for await (const { listed, named } of walk(upkeep)) {
    for (const [name, size] of listed) {
      found.objects += 1;
      found.bytes += size;
      if (!named.has(name)) found.unnamed += 1;
    }
    for (const name of named) {
      // It may have been stored after the page was listed.
      if (listed.has(name) || (await store.has(name))) continue;
      found.missing += 1;
      if (missing.length < NAMES_SHOWN_MAX) missing.push(name);
    }
  }
  const { database, services } = upkeep;
  const inDatabase = await countLarge(database.read, services, LARGE_BYTES_MIN);
  return { ...found, missingNames: missing, inDatabase };
}
