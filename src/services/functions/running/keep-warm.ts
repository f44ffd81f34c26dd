/**
 * Checks periodically which functions need running processes: after a restart, and after changes by other
 * nodes.
 */
import type { Context, Instance as NodeInstance } from "#kernel/operation";
import { servedRevisionsOf } from "../domain/index.ts";
import { listKeptWarm, type ServedFunction } from "../store/index.ts";
import type { Tables } from "../tables.ts";
import { bringingOfServed } from "./bring-up.ts";
import type { Running } from "./running.ts";

const LOOK_MS = 2000;

export class KeepWarm {
  readonly #node: NodeInstance;
  readonly #running: Running;
  readonly #timer: NodeJS.Timeout;
  #looking: Promise<void> | undefined;

  constructor(node: NodeInstance, running: Running) {
    this.#node = node;
    this.#running = running;
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
  }
  #look(): void {
    // A database that is away, or a revision that does not come up, is looked at again.
    this.#looking ??= this.#bringUpAll()
      .catch(() => {})
      .finally(() => {
        this.#looking = undefined;
      });
  }
  async #bringUpAll(): Promise<void> {
    const { changes } = this.#running;
    const wanted = await listKeptWarm(this.#contextOf("").db);
    if (changes !== this.#running.changes) return;
    for (const { served } of wanted) this.#running.keepServed(served);
    for (const { prepared, slug } of this.#running.pools)
      if (
        prepared.definition.serviceConfig.minInstanceCount &&
        !wanted.some(({ served }) => served.slug === slug)
      )
        await this.#running.forgetFunction(slug);
    for (const { served, revision } of wanted) await this.#bringUp(served, revision).catch(() => {});
  }
  async #bringUp(served: ServedFunction, revision: string): Promise<void> {
    const { account, slug, state } = served;
    if (state === "DELETING" || !servedRevisionsOf(served).has(revision)) return;
    const context = this.#contextOf(account);
    await this.#running.poolOf(() => bringingOfServed(context, served, revision), slug, revision);
  }
  #contextOf(account: string): Context<Tables> {
    return this.#node.workAs("functions", account) as Context<Tables>;
  }
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
  }
}
