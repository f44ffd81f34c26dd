/**
 * Pages of resources in any order, without looking at all there are: an index holds those of one kind in order, and the kinds
 * of which there are few get merged. Where a text or a tag leaves few, these are found first and then put in order.
 */
import {
  type ExpressionBuilder,
  type Kysely,
  PostgresAdapter,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
} from "kysely";
import type { KernelTables } from "#kernel/runtime";

type Db = Kysely<KernelTables>;
export const SORTS = ["arn", "name", "type", "updated"] as const;
export type Sort = { readonly by: (typeof SORTS)[number]; readonly isDown: boolean };
export type ResourceFilter = {
  readonly account: string;
  readonly service?: string | undefined;
  readonly type?: string | undefined;
  readonly text?: string | undefined;
  readonly tag?: string | undefined;
};
export type ResourceRow = KernelTables["medley_resource"];
/** What a resource is sorted by, and the ARN that tells equal ones apart. */
type Place = readonly (string | number)[];
type Kind = { readonly service: string; readonly type: string };
type Query = SelectQueryBuilder<KernelTables, "medley_resource", object>;

/** So many are put in order by themselves; where there are more, going through all in order meets them soon. */
const FEW_MAX = 1000;
/** With more kinds than this, merging them takes longer than going through everything. */
const KINDS_MAX = 200;

/** An index holds so much of a name; those that begin alike are sorted by their ARNs. */
const NAME_LENGTH_SORTED = 60;
const nameLength = sql.lit(NAME_LENGTH_SORTED);
const sortedName = sql<string>`substr(name, 1, ${nameLength})`;
/** No text, in the order that the columns have: before all others. */
const emptyOf = (account: string, ...columns: readonly string[]) => sql`(
  select ${sql.join(columns.map((column) => sql`substr(${sql.ref(column)}, 1, 0)`))}
  from medley_resource where account = ${account} limit 1)`;
const SORTED: Readonly<Record<Sort["by"], RawBuilder<string | number>>> = {
  arn: sql`arn`,
  name: sortedName,
  type: sql`type`,
  updated: sql`updated_at`,
};

const isPostgres = (db: Db): boolean => db.getExecutor().adapter instanceof PostgresAdapter;

/** Small letters for the plain ones alone, as the databases have it. */
export const lowerOf = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
export const likeOf = (text: string): string => `%${lowerOf(text).replace(/[\\%_]/g, "\\$&")}%`;
/** SQLite's `like` takes large and small letters for the same; making them small first would take as long again. */
const isIn = (db: Db, value: RawBuilder<string>, text: string) =>
  sql<boolean>`${isPostgres(db) ? sql`lower(${value})` : value} like ${likeOf(text)} escape '\\'`;
const isInNameOrArn = (db: Db, name: RawBuilder<string>, text: string) =>
  sql<boolean>`(${isIn(db, sql`arn`, text)} or ${isIn(db, name, text)})`;
/** Spelt as the index of parts of words has it, where there is one. No text with an end of line is in both at once. */
const isInParts = (db: Db, text: string) =>
  sql<boolean>`(${isIn(db, sql`(arn || chr(10) || name)`, text)} and ${isInNameOrArn(db, sql`name`, text)})`;
const hasText = (db: Db, text: string) =>
  isPostgres(db) ? isInParts(db, text) : isInNameOrArn(db, sql`name`, text);
/** Names that the index does not hold whole. */
const isLong = sql<boolean>`length(name) > ${nameLength}`;

/** Each by one step in an index from the one before, however many resources lie between; one more than many at most. */
async function listKinds(db: Db, account: string): Promise<Kind[]> {
  const nextType = sql`(select type from medley_resource
    where account = ${account} and service = found.service and type > found.type order by type limit 1)`;
  const nextService = sql`(select service from medley_resource
    where account = ${account} and service > found.service order by service limit 1)`;
  // Without a type, a service stands for the place before its first kind.
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
/** Likewise. */
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
/** Names of those with the tag, one more than few at most. */
async function listTagged(db: Db, account: string, tag: string): Promise<string[]> {
  const rows = await taggedRows(db, account, tag);
  const found = await rows
    .select("arn")
    .limit(FEW_MAX + 1)
    .execute();
  return found.map(({ arn }) => arn);
}
/** Kinds of which some have the tag. */
async function findKinds(
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

/** Likewise of those with the text in their name or ARN: all that is looked at is in an index, on SQLite but for names too long for it. */
async function listWithText(db: Db, filter: ResourceFilter, text: string): Promise<string[]> {
  const { account, service, type } = filter;
  const named = (): Query => {
    let query = db.selectFrom("medley_resource").where("account", "=", account) as Query;
    if (service !== undefined) query = query.where("service", "=", service);
    if (type !== undefined) query = query.where("type", "=", type);
    return query;
  };
  const some = async (query: Query): Promise<string[]> => {
    const found = await query
      .select("arn")
      .limit(FEW_MAX + 1)
      .execute();
    return found.map(({ arn }) => arn);
  };
  if (isPostgres(db)) return some(named().where(isInParts(db, text)));
  const short = await some(named().where(isInNameOrArn(db, sortedName, text)));
  const long = await some(
    named()
      .where(isLong)
      .where(isIn(db, sql`name`, text)),
  );
  return [...new Set([...short, ...long])];
}

/** Undefined where there are more. */
async function findFew(db: Db, filter: ResourceFilter): Promise<readonly string[] | undefined> {
  const { text, tag } = filter;
  const tagged = tag === undefined ? undefined : await listTagged(db, filter.account, tag);
  if (tagged && tagged.length <= FEW_MAX) return tagged;
  const named = text === undefined ? undefined : await listWithText(db, filter, text);
  return named && named.length <= FEW_MAX ? named : undefined;
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
function narrowed(db: Db, { account, service, type, text, tag }: ResourceFilter): Query {
  let found = db.selectFrom("medley_resource").where("account", "=", account) as Query;
  if (service !== undefined) found = found.where("service", "=", service);
  if (type !== undefined) found = found.where("type", "=", type);
  if (text !== undefined) found = found.where(hasText(db, text));
  return tag === undefined ? found : found.where(hasTag(tag));
}

/** Where a page goes on. */
export const placeOf = (row: ResourceRow, { by }: Sort): Place => {
  const values = {
    arn: row.arn,
    name: [...row.name].slice(0, NAME_LENGTH_SORTED).join(""),
    type: row.type,
    updated: row.updated_at,
  };
  return [values[by], row.arn];
};

/** In order, behind the place. */
function inOrder(query: Query, { by, isDown }: Sort, after: Place | undefined, limit: number): Query {
  const sorted = SORTED[by];
  const direction = isDown ? "desc" : "asc";
  const beyond = sql.raw(isDown ? "<" : ">");
  const first = by === "arn" ? query : query.orderBy(sorted, direction);
  const ordered = first.orderBy("arn", direction).limit(limit);
  if (!after) return ordered;
  const [value, arn] = after;
  return ordered.where(
    by === "arn"
      ? sql<boolean>`arn ${beyond} ${arn}`
      : sql<boolean>`(${sorted} ${beyond}= ${value} and (${sorted} ${beyond} ${value} or arn ${beyond} ${arn}))`,
  );
}

/** Where the kinds are in order by themselves, none is read before the place. */
function ofKind(db: Db, filter: ResourceFilter, kind: Kind, sort: Sort, after: Place | undefined): Query {
  const rows = narrowed(db, { ...filter, ...kind });
  if (sort.by !== "type" || kind.type !== after?.[0]) return rows;
  return rows.where("arn", sort.isDown ? "<" : ">", String(after[1]));
}
function kindsBehind(kinds: readonly Kind[], { by, isDown }: Sort, after: Place | undefined) {
  if (by !== "type" || !after) return kinds;
  const first = Buffer.from(String(after[0]));
  // In the order of bytes, as the databases have it.
  const fromFirst = (type: string) => Buffer.compare(Buffer.from(type), first) * (isDown ? -1 : 1);
  return kinds.filter(({ type }) => fromFirst(type) >= 0);
}

/** Names in the order asked for, of each kind no more than are wanted. */
async function listMerged(
  db: Db,
  filter: ResourceFilter,
  kinds: readonly Kind[],
  sort: Sort,
  after: Place | undefined,
  limit: number,
): Promise<string[]> {
  const inKind: Sort = sort.by === "type" ? { by: "arn", isDown: sort.isDown } : sort;
  const parts = kindsBehind(kinds, sort, after).map((kind, index) => {
    const rows = ofKind(db, filter, kind, sort, after);
    const some = inOrder(rows, inKind, sort.by === "type" ? undefined : after, limit);
    return db
      .selectFrom(some.select(["arn", SORTED[sort.by].as("place")]).as(`kind_${index}`))
      .select(["arn", "place"]);
  });
  const [first, ...others] = parts;
  if (!first) return [];
  const direction = sort.isDown ? "desc" : "asc";
  const all = others.reduce((query, other) => query.unionAll(other), first);
  const found = await all.orderBy("place", direction).orderBy("arn", direction).limit(limit).execute();
  return found.map(({ arn }) => arn);
}

async function readRows(db: Db, account: string, arns: readonly string[]): Promise<ResourceRow[]> {
  if (arns.length === 0) return [];
  const rows = await db
    .selectFrom("medley_resource")
    .selectAll()
    .where("account", "=", account)
    .where("arn", "in", [...arns])
    .execute();
  const byArn = new Map(rows.map((row) => [row.arn, row]));
  return arns.flatMap((arn) => byArn.get(arn) ?? []);
}

export async function listResources(
  db: Db,
  filter: ResourceFilter,
  sort: Sort,
  after: Place | undefined,
  limit: number,
): Promise<ResourceRow[]> {
  const { account, service, type } = filter;
  const few = await findFew(db, filter);
  const isInOrder = service === undefined && type === undefined && sort.by === "arn";
  const kinds = few || isInOrder ? undefined : await findKinds(db, filter);
  if (kinds) return readRows(db, account, await listMerged(db, filter, kinds, sort, after, limit));
  let rows = narrowed(db, filter);
  if (few) rows = rows.where("arn", "in", ["", ...few]);
  return inOrder(rows, sort, after, limit).selectAll().execute();
}
