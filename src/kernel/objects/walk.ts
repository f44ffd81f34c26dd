/** Compares the store with the rows that name its objects, a page of keys at a time. */
import { kernelErrors } from "../operation/errors.ts";
import { type NameRange, type NamingTable, namesIn, namingTables, type Upkeep } from "./names.ts";
import type { S3Store } from "./s3-store.ts";

export type Page = {
  /** Sizes by name. */
  readonly listed: ReadonlyMap<string, number>;
  readonly named: ReadonlySet<string>;
  readonly range: NameRange;
};

export function getStore({ objects }: Upkeep): S3Store {
  if (objects.s3) return objects.s3;
  throw kernelErrors.invalidInput(
    "This server has no object store: start it with --objects s3://bucket/prefix.",
  );
}

/**
 * Only services that run here: the objects of others are theirs. Names are read after the keys, so an object whose
 * row committed in between counts as named.
 */
export async function* walk(upkeep: Upkeep): AsyncGenerator<Page> {
  const { database, services, objects } = upkeep;
  const store = getStore(upkeep);
  const tables = namingTables(services);
  for (const service of new Set(tables.map((one) => one.service))) {
    const prefix = await objects.findPrefix(service);
    if (prefix === undefined) return;
    const own: NamingTable[] = tables.filter((one) => one.service === service);
    // The range of the last page ends with the last possible name of the service.
    const end = `${prefix.slice(0, -1)}0`;
    for (let after: string | undefined = prefix; after !== undefined; ) {
      const { objects: found, isLast } = await store.list(prefix, after);
      const last = found.at(-1)?.key;
      const isEnd = isLast || last === undefined;
      const range: NameRange = { after, until: isEnd ? end : last };
      const listed = new Map(found.map(({ key, size }) => [key, size]));
      yield { listed, named: await namesIn(database.read, own, range), range };
      after = isEnd ? undefined : last;
    }
  }
}
