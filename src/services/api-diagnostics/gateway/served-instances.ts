/** The instances that were called lately; read again only when one of their settings has changed. */
import type { Context } from "#kernel/operation";
import { findInstance } from "../operations/instances.ts";
import { findVersion, saveVersion } from "../store.ts";
import { load, type Served } from "./served.ts";

const KNOWN_MAX = 1000;
type Versions = Map<string, Promise<string | undefined>>;

export class ServedInstances {
  readonly #known = new Map<string, Served>();
  /** Asked for in this very moment: calls that come together ask together. */
  #asked: Versions | undefined;
  /** For the account that an instance belongs to. */
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
    // The version first: what changes while it is read counts with the next call.
    const version = await this.#ensureVersion(context, found.resource.key);
    const served = await load(context, found.resource, version);
    if (this.#known.size >= KNOWN_MAX) this.#known.clear();
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
  /** One that is older than the versions gets its first. */
  async #ensureVersion(context: Context, key: string): Promise<string> {
    const known = await findVersion(context.db, context.account, key);
    if (known !== undefined) return known;
    const version = context.ids.sortable();
    await context.transact(({ db, account }) => saveVersion(db, account, key, version));
    return version;
  }
}
