/** Cache of recently called instances. An instance is reloaded only after a change of its settings. */
import { makeRoom } from "#kernel/memory";
import type { Context } from "#kernel/operation";
import { findInstance } from "../operations/instances.ts";
import { findVersion, saveVersion } from "../store.ts";
import { load, type Served } from "./served.ts";

const KNOWN_MAX = 1000;
type Versions = Map<string, Promise<string | undefined>>;

export class ServedInstances {
  readonly #known = new Map<string, Served>();
  /** Version queries of the current turn. Concurrent calls share them. */
  #asked: Versions | undefined;
  /** Context of the account that owns an instance. */
  readonly #workAs: (account: string) => Context;
  constructor(workAs: (account: string) => Context) {
    this.#workAs = workAs;
  }

  async find(address: string): Promise<Served | undefined> {
    const known = this.#known.get(address);
    if (known && (await this.#versionOf(known)) === known.version) return known;
    const found = await findInstance(this.#workAs(""), address);
    if (!found) {
      this.#known.delete(address);
      return undefined;
    }
    const context = this.#workAs(found.account);
    // The version is read first, so that a concurrent change causes a reload at the next call.
    const version = await this.#ensureVersion(context, found.resource.key);
    const served = await load(context, found.resource, version);
    makeRoom(this.#known, KNOWN_MAX);
    this.#known.set(address, served);
    return served;
  }
  forget(): void {
    this.#known.clear();
  }
  #versionOf({ account, key }: Served): Promise<string | undefined> {
    if (!this.#asked) {
      this.#asked = new Map();
      setImmediate(() => {
        this.#asked = undefined;
      });
    }
    const asked = this.#asked.get(key) ?? findVersion(this.#workAs(account).db, account, key);
    this.#asked.set(key, asked);
    return asked;
  }
  /** Instances from before the version table get their first version here. */
  async #ensureVersion(context: Context, key: string): Promise<string> {
    const known = await findVersion(context.db, context.account, key);
    if (known !== undefined) return known;
    const version = context.ids.sortable();
    await context.transact(({ db, account }) => saveVersion(db, account, key, version));
    return version;
  }
}
