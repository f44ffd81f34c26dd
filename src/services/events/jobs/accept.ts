/** Accepts messages: stores one row for each model that reads the input. */

import { createHash } from "node:crypto";
import { makeRoom } from "#kernel/memory";
import { compileKey, parsePayload } from "../domain/index.ts";
import type { EventsContext, State } from "../state.ts";
import { insertMessages, type NewMessage, type Route, routesOf } from "../store/index.ts";

export type Incoming = {
  readonly messageId: string;
  readonly inputName: string;
  /** JSON. */
  readonly text: string;
  readonly sentAtMs: number | undefined;
  readonly depth: number;
};
/** The reason why a message is rejected. */
export type Refusal = { readonly code: "notFound" | "invalidRequest"; readonly message: string };

const KEY_VALUE = /^[a-zA-Z0-9_:-]{1,128}$/;
const KEYS_KEPT_MAX = 1000;

/** A key of a model always maps to the same shard. */
export function shardOf(state: State, modelId: string, key: string): number {
  if (state.shards === 1) return 0;
  return createHash("sha1").update(`${modelId}/${key}`).digest().readUInt32BE(0) % state.shards;
}

function keyOf({ keys }: State, path: string | null, payload: unknown): string | undefined {
  if (path === null) return "";
  let find = keys.get(path);
  if (!find) {
    makeRoom(keys, KEYS_KEPT_MAX);
    find = compileKey(path);
    keys.set(path, find);
  }
  return find(payload);
}

export function findPayload(text: string): { readonly payload: unknown } | undefined {
  try {
    const payload = parsePayload(text);
    return typeof payload === "object" && payload !== null && !Array.isArray(payload)
      ? { payload }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Collects the accepted messages of one transaction. Routes of an input are read once. */
export class Acceptance {
  readonly #context: EventsContext;
  readonly #region: string;
  readonly #routes = new Map<string, readonly Route[]>();
  readonly #rows: NewMessage[] = [];
  readonly shards = new Set<number>();

  constructor(context: EventsContext, region: string) {
    this.#context = context;
    this.#region = region;
  }
  /**
   * Undefined if the message is accepted: a model can use it, or no model reads the input. A valid message
   * with a repeated id also counts as accepted.
   */
  async add(message: Incoming, isNew?: () => Promise<boolean>): Promise<Refusal | undefined> {
    const { inputName, text } = message;
    const routes = await this.#routesOf(inputName);
    if (routes.length === 0)
      return { code: "notFound", message: `There is no input ${inputName} in this account and region.` };
    const found = findPayload(text);
    if (!found) return { code: "invalidRequest", message: "The payload is not a JSON object." };
    const keys = routes.map(({ key_path }) => keyOf(this.#context.state, key_path, found.payload));
    const isTaken = keys.map((key) => key !== undefined && (key === "" || KEY_VALUE.test(key)));
    if (!isTaken.includes(true))
      return { code: "invalidRequest", message: keyProblem(routes[0]?.key_path, keys[0]) };
    if (isNew && !(await isNew())) return undefined;
    for (const [at, { model_id }] of routes.entries())
      if (model_id !== null && isTaken[at]) this.#push(model_id, keys[at] ?? "", message);
    return undefined;
  }
  #push(modelId: string, key: string, { messageId, inputName, text, sentAtMs, depth }: Incoming): void {
    const { account, ids, state } = this.#context;
    const shard = shardOf(state, modelId, key);
    this.shards.add(shard);
    this.#rows.push({
      account,
      shard,
      id: ids.sortable(),
      model_id: modelId,
      key,
      input: inputName,
      message_id: messageId,
      payload: text,
      sent_at: sentAtMs ?? null,
      depth,
    });
  }
  async #routesOf(inputName: string): Promise<readonly Route[]> {
    let routes = this.#routes.get(inputName);
    if (!routes) {
      const { db, account } = this.#context;
      routes = await routesOf(db, account, this.#region, inputName);
      this.#routes.set(inputName, routes);
    }
    return routes;
  }
  async write(): Promise<void> {
    await insertMessages(this.#context.db, this.#rows);
  }
}

const keyProblem = (path: string | null | undefined, key: string | undefined): string =>
  key === undefined
    ? `The payload has no ${path}, which is the key of a model that listens to this input.`
    : `The key ${path} must be 1 to 128 letters, digits, hyphens, underscores or colons.`;
