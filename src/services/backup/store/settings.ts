/** Settings of an account, for one region or for all. */
import type { Kysely } from "kysely";
import type { Tables } from "../tables/index.ts";

type Db = Kysely<Tables>;
/** The region value of settings that apply to every region. */
const EVERYWHERE = "";
type Preferences = Readonly<Record<string, boolean>>;
export type GlobalSettings = {
  readonly isCrossAccountBackupEnabled: boolean;
  readonly updatedAtMs: number | undefined;
};

async function findSetting(db: Db, account: string, region: string, name: string) {
  return db
    .selectFrom("backup_setting")
    .select(["value", "updated_at"])
    .where("account", "=", account)
    .where("region", "=", region)
    .where("name", "=", name)
    .executeTakeFirst();
}
async function putSetting(
  db: Db,
  account: string,
  setting: {
    readonly region: string;
    readonly name: string;
    readonly value: unknown;
    readonly nowMs: number;
  },
): Promise<void> {
  const value = JSON.stringify(setting.value);
  await db
    .insertInto("backup_setting")
    .values({ account, region: setting.region, name: setting.name, value, updated_at: setting.nowMs })
    .onConflict((conflict) =>
      conflict.columns(["account", "region", "name"]).doUpdateSet({ value, updated_at: setting.nowMs }),
    )
    .execute();
}

const OPT_IN = "resource-type-opt-in";
const CROSS_ACCOUNT = "cross-account-backup";

export type RegionSettings = { readonly optIn: Preferences };
/** The stored settings. Types without a setting are absent. */
export async function getRegionSettings(db: Db, account: string, region: string): Promise<RegionSettings> {
  const optIn = await findSetting(db, account, region, OPT_IN);
  return { optIn: optIn ? (JSON.parse(optIn.value) as Preferences) : {} };
}
export const putRegionSettings = (
  db: Db,
  account: string,
  region: string,
  { optIn }: RegionSettings,
  nowMs: number,
): Promise<void> => putSetting(db, account, { region, name: OPT_IN, value: optIn, nowMs });
export async function getGlobalSettings(db: Db, account: string): Promise<GlobalSettings> {
  const setting = await findSetting(db, account, EVERYWHERE, CROSS_ACCOUNT);
  return {
    isCrossAccountBackupEnabled: setting ? (JSON.parse(setting.value) as boolean) : false,
    updatedAtMs: setting?.updated_at,
  };
}
export const putCrossAccountBackup = (
  db: Db,
  account: string,
  isEnabled: boolean,
  nowMs: number,
): Promise<void> =>
  putSetting(db, account, { region: EVERYWHERE, name: CROSS_ACCOUNT, value: isEnabled, nowMs });
