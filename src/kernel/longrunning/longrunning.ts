/** Records of work that outlives its request. Protocols render them in their own polling style. */
import type { Scope } from "../runtime/scope.ts";
import type { OperationRow } from "../runtime/tables.ts";

export type LongRunningError = {
  readonly code: string;
  readonly message: string;
  readonly details?: unknown;
};
export type LongRunningRecord = {
  readonly id: string;
  readonly kind: string;
  readonly target: string;
  readonly status: OperationRow["status"];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly result: unknown;
  readonly error: LongRunningError | undefined;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly endedAtMs: number | undefined;
};

const recordOf = (row: OperationRow): LongRunningRecord => ({
  id: row.id,
  kind: row.kind,
  target: row.target,
  status: row.status,
  metadata: JSON.parse(row.metadata),
  result: row.result === null ? undefined : JSON.parse(row.result),
  error: row.error === null ? undefined : JSON.parse(row.error),
  createdAtMs: row.created_at,
  updatedAtMs: row.updated_at,
  endedAtMs: row.ended_at ?? undefined,
});

/** Bound to one service and account. */
export class LongRunning {
  readonly #scope: Scope;
  constructor(scope: Scope) {
    this.#scope = scope;
  }
  async begin(operation: {
    kind: string;
    target: string;
    metadata?: Readonly<Record<string, unknown>>;
    id?: string;
  }): Promise<LongRunningRecord> {
    const { account, service, ids, clock, db } = this.#scope;
    const now = clock.nowMs();
    const row: OperationRow = {
      id: operation.id ?? ids.uuid(),
      account,
      service,
      kind: operation.kind,
      target: operation.target,
      status: "running",
      metadata: JSON.stringify(operation.metadata ?? {}),
      result: null,
      error: null,
      created_at: now,
      updated_at: now,
      ended_at: null,
    };
    await db.insertInto("medley_operation").values(row).execute();
    return recordOf(row);
  }
  async find(id: string): Promise<LongRunningRecord | undefined> {
    const { account, service, db } = this.#scope;
    const row = await db
      .selectFrom("medley_operation")
      .selectAll()
      .where("id", "=", id)
      .where("account", "=", account)
      .where("service", "=", service)
      .executeTakeFirst();
    return row && recordOf(row as OperationRow);
  }
  /** The newest that still runs on this target. */
  async findRunning(target: string): Promise<LongRunningRecord | undefined> {
    const { account, service, db } = this.#scope;
    const row = await db
      .selectFrom("medley_operation")
      .selectAll()
      .where("account", "=", account)
      .where("service", "=", service)
      .where("target", "=", target)
      .where("status", "=", "running")
      .orderBy("id", "desc")
      .limit(1)
      .executeTakeFirst();
    return row && recordOf(row as OperationRow);
  }
  progress(id: string, metadata: Readonly<Record<string, unknown>>): Promise<void> {
    return this.#change(id, { metadata: JSON.stringify(metadata) });
  }
  succeed(id: string, result?: unknown): Promise<void> {
    return this.#end(id, {
      status: "succeeded",
      result: result === undefined ? null : JSON.stringify(result),
    });
  }
  fail(id: string, error: LongRunningError): Promise<void> {
    return this.#end(id, { status: "failed", error: JSON.stringify(error) });
  }
  cancel(id: string, error?: LongRunningError): Promise<void> {
    return this.#end(id, { status: "canceled", error: error ? JSON.stringify(error) : null });
  }
  #end(id: string, change: Partial<OperationRow>): Promise<void> {
    const nowMs = this.#scope.clock.nowMs();
    return this.#change(id, { ...change, ended_at: nowMs }, nowMs);
  }
  /** A finished record never changes. */
  async #change(id: string, change: Partial<OperationRow>, nowMs = this.#scope.clock.nowMs()): Promise<void> {
    const { account, db } = this.#scope;
    await db
      .updateTable("medley_operation")
      .set({ ...change, updated_at: nowMs })
      .where("id", "=", id)
      .where("account", "=", account)
      .where("status", "=", "running")
      .execute();
  }
}
