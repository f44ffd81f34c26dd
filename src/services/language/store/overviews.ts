/** Applications for lists, with their number of versions and their published slots, in one query. */
import type { Kysely, SelectQueryBuilder } from "kysely";
import { type AnyDb, queriesOf } from "#kernel/db";
import type { Application, PublishedSlot, Slot } from "../domain/application.ts";
import type { ApplicationRow, SlotRow, Tables } from "../tables.ts";
import { applicationOf, pageOfRows } from "./applications.ts";
import type { Page } from "./version-part.ts";

type Db = Kysely<Tables>;
const { compiledQuery } = queriesOf<Db>();
export type Overview = {
  readonly application: Application;
  readonly versionsCount: number;
  readonly published: readonly PublishedSlot[];
};

/** A row for each slot that is published, or one for none. */
type OverviewRow = ApplicationRow & {
  readonly versions_count: number;
} & { readonly [Column in "slot" | "version_name" | "published_at"]: SlotRow[Column] | null };

// biome-ignore lint/suspicious/noExplicitAny: compiled queries are built on tables of any service.
type Applications = SelectQueryBuilder<any, any, any>;
const withSlots = (db: AnyDb, applications: Applications) =>
  db
    .selectFrom(applications.as("application"))
    .leftJoin("language_slot as slot", (join) =>
      join.onRef("slot.account", "=", "application.account").onRef("slot.application", "=", "application.id"),
    )
    .selectAll("application")
    .select(["slot.slot", "slot.version_name", "slot.published_at"])
    .select((eb) =>
      eb
        .selectFrom("language_version as version")
        .select(({ fn }) => fn.countAll().as("count"))
        .whereRef("version.account", "=", "application.account")
        .whereRef("version.application", "=", "application.id")
        .as("versions_count"),
    );

function overviewsOf(rows: readonly OverviewRow[]): Overview[] {
  const overviews = new Map<string, Overview & { readonly published: PublishedSlot[] }>();
  for (const row of rows) {
    const overview = overviews.get(row.id) ?? {
      application: applicationOf(row),
      versionsCount: Number(row.versions_count),
      published: [],
    };
    overviews.set(row.id, overview);
    if (row.slot !== null)
      overview.published.push({
        application: row.id,
        slot: row.slot as Slot,
        versionName: row.version_name ?? "",
        publishedAtMs: Number(row.published_at),
      });
  }
  return [...overviews.values()];
}

const selectOne = compiledQuery<OverviewRow, [string, string]>(["", ""], (db, account, id) =>
  withSlots(
    db,
    db.selectFrom("language_application").selectAll().where("account", "=", account).where("id", "=", id),
  ).orderBy("slot.slot"),
);
export async function findOverview(db: Db, account: string, id: string): Promise<Overview | undefined> {
  return overviewsOf(await selectOne(db, account, id))[0];
}

const selectPage = compiledQuery<OverviewRow, [string, number, number]>(
  ["", 0, 0],
  (db, account, take, skip) =>
    withSlots(db, pageOfRows(db, account, { skip, take }))
      .orderBy("application.created_at")
      .orderBy("application.id")
      .orderBy("slot.slot"),
);
export async function listOverviews(db: Db, account: string, { skip, take }: Page): Promise<Overview[]> {
  return overviewsOf(await selectPage(db, account, take, skip));
}
