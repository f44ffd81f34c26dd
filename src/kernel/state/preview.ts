/** Counts what a reset or an import would change, without changing anything. */
import type { AnyDb } from "../db/database.ts";
import type { Service } from "../operation/service.ts";
import type { Kernel } from "../runtime/kernel.ts";
import { sharedTables } from "../runtime/tables.ts";
import { type ArchiveSource, openArchive } from "./archive.ts";
import { Pace } from "./rows.ts";
import {
  intersect,
  isCovered,
  narrow,
  type StateFilter,
  type TablePart,
  tablesFor,
  tablesToReset,
} from "./tables.ts";
import { isUpToDate, refuseNewer, refuseStranger } from "./upgrade.ts";
import { migrationSetsOf } from "./versions.ts";

/** The rows of a service before and after. */
export type ServiceChange = { readonly service: string; readonly now: number; readonly later: number };
/** Rows of no service: accounts, credentials and people whom owners name. */
const ACCOUNTS = "accounts";

const isShared = (table: string): boolean => (sharedTables as readonly string[]).includes(table);

function ownersOf(services: readonly Service[]): ReadonlyMap<string, string> {
  return new Map(services.flatMap(({ name, tables = [] }) => tables.map((table) => [table, name] as const)));
}

async function countNow(
  { services, database }: Kernel,
  parts: readonly TablePart[],
  filter: StateFilter,
): Promise<Map<string, number>> {
  const owners = ownersOf(services);
  const counts = new Map<string, number>();
  const add = (service: string, count: number) => counts.set(service, (counts.get(service) ?? 0) + count);
  await database.snapshot(async (db: AnyDb) => {
    for (const part of parts) {
      const all = narrow(db.selectFrom(part.table), part, filter);
      const counted = all.select(({ fn }) => fn.countAll().as("count"));
      if (isShared(part.table)) {
        const rows = await counted.select("service").groupBy("service").execute();
        for (const { service, count } of rows) add(String(service), Number(count));
      } else {
        const { count } = await counted.executeTakeFirstOrThrow();
        add(owners.get(part.table) ?? ACCOUNTS, Number(count));
      }
    }
  });
  return counts;
}

const changesOf = (
  now: ReadonlyMap<string, number>,
  arriving: ReadonlyMap<string, number>,
): ServiceChange[] =>
  [...new Set([...now.keys(), ...arriving.keys()])]
    .map((service) => ({ service, now: now.get(service) ?? 0, later: arriving.get(service) ?? 0 }))
    .filter((change) => change.now > 0 || change.later > 0)
    .sort((a, b) => (a.service < b.service ? -1 : 1));

export async function previewReset(kernel: Kernel, filter: StateFilter): Promise<ServiceChange[]> {
  return changesOf(await countNow(kernel, tablesToReset(kernel.services, filter), filter), new Map());
}

/** Reads to the end, so that an invalid export is refused here as well. */
export async function previewImport(
  kernel: Kernel,
  source: ArchiveSource,
  only: StateFilter = {},
): Promise<ServiceChange[]> {
  const { header, rows } = await openArchive(source);
  const sets = migrationSetsOf(kernel);
  refuseNewer(sets, header.migrations);
  // Tables of older exports may have other names.
  const isKnown = isUpToDate(sets, header.migrations);
  const known = new Set(tablesFor(kernel.services, header.filter).map(({ table }) => table));
  const filter = intersect(header.filter, only);
  const parts = tablesFor(kernel.services, filter);
  const wanted = new Set(parts.map(({ table }) => table));
  const owners = ownersOf(kernel.services);
  const arriving = new Map<string, number>();
  const pace = new Pace();
  for await (const { table, row } of rows) {
    if (isKnown) refuseStranger(table, known);
    if (wanted.has(table) && isCovered(table, row, filter)) {
      const service = isShared(table) ? String(row.service) : (owners.get(table) ?? ACCOUNTS);
      arriving.set(service, (arriving.get(service) ?? 0) + 1);
    }
    await pace.step(row);
  }
  return changesOf(await countNow(kernel, parts, filter), arriving);
}
