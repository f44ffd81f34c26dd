/** Which resources fit a filter: by service, type, text and tag. */
import {
  type ExpressionBuilder,
  type Kysely,
  PostgresAdapter,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
} from "kysely";
import type { KernelTables } from "#kernel/runtime";

export type Db = Kysely<KernelTables>;
export type ResourceFilter = {
  readonly account: string;
  readonly service?: string | undefined;
  readonly type?: string | undefined;
  readonly text?: string | undefined;
  /** Further texts that must be found as well; name the rarest as `text`. */
  readonly alsoTexts?: readonly string[];
  readonly tag?: string | undefined;
};
export type Kind = { readonly service: string; readonly type: string };
export type Query = SelectQueryBuilder<KernelTables, "medley_resource", object>;

/**
 * Up to this number, matches are sorted. If there are more, a walk through all rows in order finds them
 * soon.
 */
const FEW_MAX = 1000;
/** With more types than this, a merge takes longer than a full scan. */
const KINDS_MAX = 200;

export const isPostgres = (db: Db): boolean => db.getExecutor().adapter instanceof PostgresAdapter;

/** Lower case for ASCII letters only, like the databases. */
export const lowerOf = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
export const likeOf = (text: string): string => `%${lowerOf(text).replace(/[\\%_]/g, "\\$&")}%`;
/** SQLite's `like` is case-insensitive. An additional lower() would double the time. */
export function isIn(db: Db, value: RawBuilder<string>, text: string) {
  const like = sql<boolean>`${isPostgres(db) ? sql`lower(${value})` : value} like ${likeOf(text)}`;
  // The escape clause is omitted if possible, because it costs time.
  return /[\\%_]/.test(text) ? sql<boolean>`${like} escape '\\'` : like;
}
export const isInNameOrArn = (db: Db, name: RawBuilder<string>, text: string) =>
  sql<boolean>`(${isIn(db, sql`arn`, text)} or ${isIn(db, name, text)})`;
/**
 * The expression of PostgreSQL's trigram index. Only a text with a line feed can match across both columns.
 */
export function hasText(db: Db, text: string) {
  const inEither = isInNameOrArn(db, sql`name`, text);
  if (!isPostgres(db)) return inEither;
  const inBoth = isIn(db, sql`(arn || chr(10) || name)`, text);
  return text.includes("\n") ? sql<boolean>`(${inBoth} and ${inEither})` : inBoth;
}

/** Empty texts with the collation of the columns, as the start of an index walk. */
const emptyOf = (account: string, ...columns: readonly string[]) => sql`(
  select ${sql.join(columns.map((column) => sql`substr(${sql.ref(column)}, 1, 0)`))}
  from medley_resource where account = ${account} limit 1)`;

/**
 * Finds each type with one index seek from the previous one (loose index scan). At most one type more than
 * the limit.
 */
async function listKinds(db: Db, account: string): Promise<Kind[]> {
  const nextType = sql`(select type from medley_resource
    where account = ${account} and service = found.service and type > found.type order by type limit 1)`;
  const nextService = sql`(select service from medley_resource
    where account = ${account} and service > found.service order by service limit 1)`;
  // An empty type is the position before a service's first type.
  const { rows } = await sql<Kind>`
    with recursive found(service, type) as (
      select * from ${emptyOf(account, "service", "type")} as first
      union all
      select case when ${nextType} is not null then service else ${nextService} end, coalesce(${nextType}, '')
      from found where service is not null
    )
    select service, type from found where type <> '' limit ${KINDS_MAX + 1}`.execute(db);
  return rows;
}
/** Finds regions by the same loose index scan. */
async function listRegions(db: Db, account: string): Promise<string[]> {
  const { rows } = await sql<{ region: string }>`
    with recursive found(region) as (
      select * from ${emptyOf(account, "region")} as first
      union all
      select (select region from medley_resource
        where account = ${account} and region > found.region order by region limit 1)
      from found where region is not null
    )
    select region from found where region <> '' limit ${KINDS_MAX + 1}`.execute(db);
  return rows.map(({ region }) => region);
}

const tagOf = (tag: string): readonly [string, string | undefined] => {
  const [key = "", value] = tag.split(/=(.*)/s);
  return [key, value];
};

async function taggedRows(db: Db, account: string, tag: string) {
  const regions = await listRegions(db, account);
  const [key, value] = tagOf(tag);
  let rows = db.selectFrom("medley_resource_tag").where("account", "=", account).where("key", "=", key);
  if (regions.length <= KINDS_MAX) rows = rows.where("region", "in", ["", ...regions]);
  return value === undefined ? rows : rows.where("value", "=", value);
}
/** ARNs of resources with the tag, at most one more than the limit. */
async function listTagged(db: Db, account: string, tag: string): Promise<string[]> {
  const rows = await taggedRows(db, account, tag);
  const found = await rows
    .select("arn")
    .limit(FEW_MAX + 1)
    .execute();
  return found.map(({ arn }) => arn);
}
/** Types with at least one tagged resource. */
export async function findKinds(
  db: Db,
  { account, service, type, tag }: ResourceFilter,
): Promise<Kind[] | undefined> {
  const kinds = await listKinds(db, account);
  if (kinds.length > KINDS_MAX) return undefined;
  const rows = tag === undefined ? undefined : await taggedRows(db, account, tag);
  const tagged = rows && new Set((await rows.select("type").distinct().execute()).map((row) => row.type));
  return kinds.filter(
    (kind) =>
      (service ?? kind.service) === kind.service &&
      (type ?? kind.type) === kind.type &&
      (tagged?.has(kind.type) ?? true),
  );
}

/** Undefined if there are too many. */
export async function findTagged(
  db: Db,
  { account, tag }: ResourceFilter,
): Promise<readonly string[] | undefined> {
  const tagged = tag === undefined ? undefined : await listTagged(db, account, tag);
  return tagged && tagged.length <= FEW_MAX ? tagged : undefined;
}

function hasTag(tag: string) {
  const [key, value] = tagOf(tag);
  return ({ exists, selectFrom }: ExpressionBuilder<KernelTables, "medley_resource">) => {
    const tags = selectFrom("medley_resource_tag")
      .select("medley_resource_tag.arn")
      .whereRef("medley_resource_tag.account", "=", "medley_resource.account")
      .whereRef("medley_resource_tag.arn", "=", "medley_resource.arn")
      .where("medley_resource_tag.key", "=", key);
    return exists(value === undefined ? tags : tags.where("medley_resource_tag.value", "=", value));
  };
}
export function narrowed(
  db: Db,
  { account, service, type, text, alsoTexts = [], tag }: ResourceFilter,
): Query {
  let found = db.selectFrom("medley_resource").where("account", "=", account) as Query;
  if (service !== undefined) found = found.where("service", "=", service);
  if (type !== undefined) found = found.where("type", "=", type);
  for (const one of text === undefined ? alsoTexts : [text, ...alsoTexts])
    found = found.where(hasText(db, one));
  return tag === undefined ? found : found.where(hasTag(tag));
}
