/** All SQL of the browser over the catalogue. */
import { type Kysely, type SelectQueryBuilder, sql } from "kysely";
import type { KernelTables } from "#kernel/runtime";

type Db = Kysely<KernelTables>;
export const SORTS = ["arn", "name", "type", "updated", "created"] as const;
export type Sort = { readonly by: (typeof SORTS)[number]; readonly isDown: boolean };
export type ResourceFilter = {
  readonly account: string;
  readonly service?: string | undefined;
  readonly type?: string | undefined;
  readonly text?: string | undefined;
  readonly tag?: string | undefined;
};
export type ResourceRow = KernelTables["medley_resource"];

const COLUMNS = {
  arn: "arn",
  name: "name",
  type: "type",
  updated: "updated_at",
  created: "created_at",
} as const;
const likeOf = (text: string): string => `%${text.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;

type Query = SelectQueryBuilder<KernelTables, "medley_resource", ResourceRow>;
function narrowed(query: Query, { service, type, text, tag }: ResourceFilter): Query {
  let found = query;
  if (service !== undefined) found = found.where("service", "=", service);
  if (type !== undefined) found = found.where("type", "=", type);
  if (text !== undefined)
    found = found.where(
      sql<boolean>`(lower(name) like ${likeOf(text)} escape '\\' or lower(arn) like ${likeOf(text)} escape '\\')`,
    );
  if (tag !== undefined) {
    const [key = "", value] = tag.split(/=(.*)/s);
    found = found.where(({ exists, selectFrom }) => {
      const tags = selectFrom("medley_resource_tag")
        .select("medley_resource_tag.arn")
        .whereRef("medley_resource_tag.account", "=", "medley_resource.account")
        .whereRef("medley_resource_tag.arn", "=", "medley_resource.arn")
        .where("medley_resource_tag.key", "=", key);
      return exists(value === undefined ? tags : tags.where("medley_resource_tag.value", "=", value));
    });
  }
  return found;
}

/** Where a page goes on: the value it is sorted by, and the ARN that tells equal ones apart. */
export const placeOf = (row: ResourceRow, { by }: Sort): readonly string[] => [
  String(row[COLUMNS[by]]),
  row.arn,
];

export function listResources(
  db: Db,
  filter: ResourceFilter,
  { by, isDown }: Sort,
  after: readonly string[] | undefined,
  limit: number,
): Promise<ResourceRow[]> {
  const column = COLUMNS[by];
  const direction = isDown ? "desc" : "asc";
  let query = narrowed(
    db.selectFrom("medley_resource").selectAll().where("account", "=", filter.account) as Query,
    filter,
  );
  if (after) {
    const [value = "", arn = ""] = after;
    const bound = column === "updated_at" || column === "created_at" ? Number(value) : value;
    query = query.where(
      isDown
        ? sql<boolean>`(${sql.ref(column)}, arn) < (${bound}, ${arn})`
        : sql<boolean>`(${sql.ref(column)}, arn) > (${bound}, ${arn})`,
    );
  }
  return query.orderBy(column, direction).orderBy("arn", direction).limit(limit).execute();
}

export const findResource = (db: Db, account: string, arn: string): Promise<ResourceRow | undefined> =>
  db
    .selectFrom("medley_resource")
    .selectAll()
    .where("account", "=", account)
    .where("arn", "=", arn)
    .executeTakeFirst();

export async function countByType(
  db: Db,
  account: string,
): Promise<readonly { service: string; type: string; count: number }[]> {
  const rows = await db
    .selectFrom("medley_resource")
    .select(({ fn }) => ["service", "type", fn.countAll().as("count")])
    .where("account", "=", account)
    .groupBy(["service", "type"])
    .orderBy("service")
    .orderBy("type")
    .execute();
  return rows.map(({ count, ...rest }) => ({ ...rest, count: Number(count) }));
}

/** Those that go by one of these names, be it the ARN or the service's own. */
export function listNamed(
  db: Db,
  account: string,
  names: readonly string[],
  limit: number,
): Promise<ResourceRow[]> {
  return db
    .selectFrom("medley_resource")
    .selectAll()
    .where("account", "=", account)
    .where(({ or, eb }) => or([eb("arn", "in", [...names]), eb("native_id", "in", [...names])]))
    .orderBy("arn")
    .limit(limit)
    .execute();
}
/** Those that name it in what their service tells of them. */
export function listReferring(db: Db, row: ResourceRow, limit: number): Promise<ResourceRow[]> {
  const names = [row.arn, ...(row.native_id === null ? [] : [row.native_id])];
  return db
    .selectFrom("medley_resource")
    .selectAll()
    .where("account", "=", row.account)
    .where("arn", "!=", row.arn)
    .where(({ or }) =>
      or(
        names.map(
          (name) =>
            sql<boolean>`lower(details) like ${likeOf(JSON.stringify(name).slice(1, -1))} escape '\\'`,
        ),
      ),
    )
    .orderBy("arn")
    .limit(limit)
    .execute();
}
