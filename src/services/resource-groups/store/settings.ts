/** Event settings of an account by region. */
import type { Kysely } from "kysely";
import { queriesOf } from "#kernel/db";
import type { SettingRow, Tables } from "../tables.ts";

type Db = Kysely<Tables>;
const { compiledQuery } = queriesOf<Db>();

export type DesiredStatus = "ACTIVE" | "INACTIVE";
type EventsStatus = DesiredStatus | "IN_PROGRESS" | "ERROR";
export type Settings = {
  readonly region: string;
  readonly desired: DesiredStatus;
  readonly status: EventsStatus;
  readonly message?: string;
  /** Whether events are published now. */
  readonly publishing: boolean;
  /** Dialect of the events. */
  readonly spelling?: string;
};

const settingsOf = (row: SettingRow): Settings => ({
  region: row.region,
  desired: row.desired as DesiredStatus,
  status: row.status as EventsStatus,
  publishing: row.publishing === 1,
  ...(row.message !== null && { message: row.message }),
  ...(row.spelling !== null && { spelling: row.spelling }),
});

const selectSetting = compiledQuery<SettingRow, [string, string]>(["", ""], (db: Db, account, region) =>
  db
    .selectFrom("resource_groups_setting")
    .selectAll()
    .where("account", "=", account)
    .where("region", "=", region),
);
/** Events are off by default. */
export async function getSettings(db: Db, account: string, region: string): Promise<Settings> {
  const [row] = await selectSetting(db, account, region);
  return row ? settingsOf(row) : { region, desired: "INACTIVE", status: "INACTIVE", publishing: false };
}
export async function saveSettings(db: Db, account: string, settings: Settings): Promise<void> {
  const changing = {
    desired: settings.desired,
    status: settings.status,
    message: settings.message ?? null,
    publishing: settings.publishing ? 1 : 0,
    spelling: settings.spelling ?? null,
  };
  await db
    .insertInto("resource_groups_setting")
    .values({ account, region: settings.region, ...changing })
    .onConflict((conflict) => conflict.columns(["account", "region"]).doUpdateSet(changing))
    .execute();
}
