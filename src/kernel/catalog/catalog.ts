/** The live resources of all services with their tags, and outside ones that were registered. */
import { neutralName } from "../arn/arn.ts";
import { kernelErrors } from "../operation/errors.ts";
import type { WorkKind } from "../operation/work.ts";
import type { Scope } from "../runtime/scope.ts";
import type { ResourceRow, ResourceTagRow } from "../runtime/tables.ts";
import * as changes from "./changes.ts";
import { type CatalogEntry, catalogEntryOf, neutralResource, type Resource } from "./entry.ts";
import { readPage, type SelectedPage } from "./pages.ts";
import type { Selection } from "./selection.ts";
import * as statements from "./statements.ts";

export { type CatalogEntry, EVERY_REGION, type Resource } from "./entry.ts";

/** The maximum size of an index entry in PostgreSQL, with some margin. */
const INDEXED_BYTES_MAX = 2400;

/** No database stores this character in text. */
const isKeepable = (text: string): boolean => !text.includes("\0");

function check({ arn, name, region, type, tags, stack = "" }: Resource): void {
  let isKept = isKeepable(arn) && isKeepable(name) && isKeepable(region) && isKeepable(type);
  isKept &&= isKeepable(stack);
  let longest = Buffer.byteLength(stack);
  for (const [key, value] of Object.entries(tags)) {
    isKept &&= isKeepable(key) && isKeepable(value);
    longest = Math.max(longest, Buffer.byteLength(key) + Buffer.byteLength(value));
  }
  if (!isKept)
    throw kernelErrors.invalidInput("The name and the tags of a resource cannot hold the character U+0000.");
  if (
    Buffer.byteLength(arn) + Buffer.byteLength(region) + Buffer.byteLength(type) + longest <=
    INDEXED_BYTES_MAX
  )
    return;
  throw kernelErrors.invalidInput(
    `The name, region and type of a resource and any one of its tags may take ${INDEXED_BYTES_MAX} bytes together.`,
  );
}

/** Bound to one service and account; a change joins the transaction of the operation that causes it. */
export class Catalog {
  readonly #scope: Scope;
  constructor(scope: Scope) {
    this.#scope = scope;
  }
  /** `isNew`: the caller knows no resource of that name, so the insert is tried first. */
  async put(given: Resource, { external = false, isNew = true } = {}): Promise<void> {
    const { account, service, clock, db } = this.#scope;
    const resource = neutralResource(given);
    check(resource);
    const nowMs = clock.nowMs();
    const row: ResourceRow = {
      account,
      arn: resource.arn,
      region: resource.region,
      service,
      type: resource.type,
      name: resource.name,
      native_id: resource.nativeId ?? null,
      stack: resource.stack ?? null,
      tags: JSON.stringify(resource.tags),
      details: JSON.stringify(resource.details ?? {}),
      external: external ? 1 : 0,
      created_at: nowMs,
      updated_at: nowMs,
    };
    const isInserted = isNew && (await statements.insertResource(db, row));
    const [before] = isInserted ? [] : await statements.selectResource(db, account, row.arn);
    if (before) {
      if (!(await this.#replace(before, row, resource))) return;
    } else {
      if (!isInserted) await statements.insertResource(db, row);
      await this.#insertTags(resource, service);
    }
    const { arn, name } = resource;
    this.#scope.note?.({ kind: "resource", id: arn, name, change: before ? "changed" : "made" });
    const after = { ...resource, details: resource.details ?? {}, service, external };
    await changes.noteChanges(this.#scope, await changes.findWatches(this.#scope), [
      { arn: resource.arn, ...(before && { before: catalogEntryOf(before) }), after },
    ]);
  }
  /** Writes only differences. Returns false if there are none. */
  async #replace(before: ResourceRow, row: ResourceRow, resource: Resource): Promise<boolean> {
    const { service, db } = this.#scope;
    const differs = (column: keyof ResourceRow): boolean => row[column] !== before[column];
    if (!statements.CHANGING_COLUMNS.some(differs)) return false;
    await statements.updateResource(db, row);
    if (statements.TAGGED_COLUMNS.some(differs)) {
      await this.#removeTags([row.arn]);
      await this.#insertTags(resource, service);
    }
    return true;
  }
  async #removeTags(arns: readonly string[]): Promise<void> {
    const { account, db } = this.#scope;
    await db
      .deleteFrom("medley_resource_tag")
      .where("account", "=", account)
      .where("arn", "in", arns)
      .execute();
  }
  async #insertTags({ arn, region, type, tags }: Resource, service: string): Promise<void> {
    const { account, db } = this.#scope;
    const rows: ResourceTagRow[] = Object.entries(tags).map(([key, value]) => ({
      account,
      region,
      service,
      key,
      value,
      type,
      arn,
    }));
    await statements.insertTags(db, rows);
  }
  async find(arn: string): Promise<CatalogEntry | undefined> {
    if (!isKeepable(arn)) return undefined;
    const { account, db } = this.#scope;
    const [row] = await statements.selectResource(db, account, neutralName(arn));
    return row && catalogEntryOf(row);
  }
  /** The existing ones, ordered by name. */
  async findMany(given: readonly string[]): Promise<CatalogEntry[]> {
    const arns = given.filter(isKeepable).map(neutralName);
    if (arns.length === 0) return [];
    const { account, db } = this.#scope;
    const rows = await db
      .selectFrom("medley_resource")
      .selectAll()
      .where("account", "=", account)
      .where("arn", "in", arns)
      .orderBy("arn")
      .execute();
    return rows.map((row) => catalogEntryOf(row as ResourceRow));
  }
  /** Returns whether there was one. */
  async remove(arn: string): Promise<boolean> {
    return (await this.removeMany([arn])) > 0;
  }
  /** Returns how many there were. Pass some hundreds at most. */
  async removeMany(given: readonly string[]): Promise<number> {
    if (given.length === 0) return 0;
    const { account, db } = this.#scope;
    const arns = given.map(neutralName);
    const watches = await changes.findWatches(this.#scope);
    const before = watches.length > 0 ? await this.findMany(arns) : [];
    await this.#removeTags(arns);
    const result = await db
      .deleteFrom("medley_resource")
      .where("account", "=", account)
      .where("arn", "in", arns)
      .executeTakeFirst();
    for (const arn of arns) this.#scope.note?.({ kind: "resource", id: arn, name: arn, change: "removed" });
    const gone = before.map((entry) => ({ arn: entry.arn, before: entry }));
    await changes.noteChanges(this.#scope, watches, gone);
    return Number(result.numDeletedRows);
  }
  /** Ordered by name; `after` is the last name seen. */
  async list(filter: {
    type?: string;
    types?: readonly string[];
    /** With `types`, the time does not grow with resources of other types. */
    regions?: readonly string[];
    service?: string;
    after?: string;
    limit: number;
  }): Promise<CatalogEntry[]> {
    const { account, db } = this.#scope;
    let query = db
      .selectFrom("medley_resource")
      .selectAll()
      .where("account", "=", account)
      .where("arn", ">", filter.after ?? "");
    if (filter.type !== undefined) query = query.where("type", "=", neutralName(filter.type));
    if (filter.types !== undefined) query = query.where("type", "in", filter.types.map(neutralName));
    if (filter.regions !== undefined) query = query.where("region", "in", filter.regions);
    if (filter.service !== undefined) query = query.where("service", "=", filter.service);
    const rows = await query.orderBy("arn").limit(filter.limit).execute();
    return rows.map((row) => catalogEntryOf(row as ResourceRow));
  }

  /** The selected ones, ordered by name. The time of a page does not grow with the catalogue. */
  pageOf(
    selection: Selection,
    page: { readonly after?: string; readonly limit: number },
  ): Promise<SelectedPage> {
    return readPage(this.#scope.db, this.#scope.account, selection, page);
  }
  /** Whether the account has a resource of the type, seen from the region. */
  async hasType(region: string, type: string): Promise<boolean> {
    const { resources } = await this.pageOf({ region, types: [type] }, { limit: 1 });
    return resources.length > 0;
  }

  /** From now on `job` of this service runs soon after every change of a resource in the region (or ANY_REGION). */
  watch(region: string, job: WorkKind<changes.WatchedRegion>): Promise<void> {
    return changes.watch(this.#scope, region, job);
  }
  unwatch(region: string): Promise<void> {
    return changes.unwatch(this.#scope, region);
  }
  /** For the watching job: takes the oldest changes off the feed. */
  takeChanges(region: string, limit: number): Promise<changes.ResourceChange[]> {
    return changes.takeChanges(this.#scope, region, limit);
  }
}
