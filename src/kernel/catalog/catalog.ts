/** The live resources of all services with their tags, and outside ones registered by hand. */
import type { Scope } from "../runtime/scope.ts";
import type { ResourceRow } from "../runtime/tables.ts";

/** Resources that belong to no region are seen from every region. */
export const everyRegion = "global";

export type Resource = {
  readonly arn: string;
  /** Such as `Vendor::AppConfiguration::ConfigurationStore`. */
  readonly type: string;
  readonly name: string;
  readonly region: string;
  readonly tags: Readonly<Record<string, string>>;
  /** The owning service's own identifier, such as a resource-manager path. */
  readonly nativeId?: string;
  readonly details?: Readonly<Record<string, unknown>>;
};
export type CatalogEntry = Resource & { readonly service: string; readonly external: boolean };

export const catalogEntryOf = (row: ResourceRow): CatalogEntry => ({
  arn: row.arn,
  type: row.type,
  name: row.name,
  region: row.region,
  service: row.service,
  external: row.external === 1,
  tags: JSON.parse(row.tags),
  details: JSON.parse(row.details),
  ...(row.native_id !== null && { nativeId: row.native_id }),
});

/** Bound to one service and account; a change joins the transaction of the operation that causes it. */
export class Catalog {
  readonly #scope: Scope;
  constructor(scope: Scope) {
    this.#scope = scope;
  }
  async put(resource: Resource, { external = false } = {}): Promise<void> {
    const { account, service, clock, db } = this.#scope;
    const changing = {
      region: resource.region,
      service,
      type: resource.type,
      name: resource.name,
      native_id: resource.nativeId ?? null,
      tags: JSON.stringify(resource.tags),
      details: JSON.stringify(resource.details ?? {}),
      external: external ? 1 : 0,
      updated_at: clock.nowMs(),
    };
    await db
      .insertInto("medley_resource")
      .values({ account, arn: resource.arn, created_at: clock.nowMs(), ...changing })
      .onConflict((conflict) => conflict.columns(["account", "arn"]).doUpdateSet(changing))
      .execute();
    await this.#replaceTags(resource, service);
  }
  async #replaceTags({ arn, region, type, tags }: Resource, service: string): Promise<void> {
    const { account, db } = this.#scope;
    await db
      .deleteFrom("medley_resource_tag")
      .where("account", "=", account)
      .where("arn", "=", arn)
      .execute();
    const rows = Object.entries(tags).map(([key, value]) => ({
      account,
      region,
      service,
      key,
      value,
      type,
      arn,
    }));
    if (rows.length > 0) await db.insertInto("medley_resource_tag").values(rows).execute();
  }
  async find(arn: string): Promise<CatalogEntry | undefined> {
    const { account, db } = this.#scope;
    const row = await db
      .selectFrom("medley_resource")
      .selectAll()
      .where("account", "=", account)
      .where("arn", "=", arn)
      .executeTakeFirst();
    return row && catalogEntryOf(row as ResourceRow);
  }
  /** Answers whether there was one. */
  async remove(arn: string): Promise<boolean> {
    const { account, db } = this.#scope;
    await db
      .deleteFrom("medley_resource_tag")
      .where("account", "=", account)
      .where("arn", "=", arn)
      .execute();
    const result = await db
      .deleteFrom("medley_resource")
      .where("account", "=", account)
      .where("arn", "=", arn)
      .executeTakeFirst();
    return result.numDeletedRows > 0n;
  }
  /** In order of their names; `after` is the last one seen. */
  async list(filter: {
    type?: string;
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
    if (filter.type !== undefined) query = query.where("type", "=", filter.type);
    if (filter.service !== undefined) query = query.where("service", "=", filter.service);
    const rows = await query.orderBy("arn").limit(filter.limit).execute();
    return rows.map((row) => catalogEntryOf(row as ResourceRow));
  }
}
