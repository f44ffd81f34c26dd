/**
 * Large bytes beside the database. A row holds its bytes, or it names an object in the store. The object is written
 * first, outside of any transaction. Then the row commits. A name is used once, so removing an object never meets
 * another writer of it.
 */
import { createHash, randomBytes } from "node:crypto";
import { findSetting, putSetting } from "../auth/accounts-store.ts";
import type { Database } from "../db/database.ts";
import { type S3Store, unavailable } from "./s3-store.ts";

/** Two columns of a row: the bytes, or the name of the object that has them. */
export type Stored = { readonly bytes: Uint8Array; readonly object: string | null };
/** A table with these two columns, and its primary key. */
export type ObjectTable = { readonly table: string; readonly key: readonly string[] };
export type Objects = {
  /** False: all bytes go to the database. */
  readonly isApart: boolean;
  /** Takes ownership of the bytes. Call it outside of transactions; the row commits after it. */
  store(bytes: Uint8Array): Promise<Stored>;
  /** Throws `unavailable` if the bytes cannot be had. */
  load(stored: Stored): Promise<Uint8Array>;
  /** The same; undefined if the store has lost or changed them. */
  find(stored: Stored): Promise<Uint8Array | undefined>;
};

/** Smaller bytes stay in their row: a request costs more than they do. */
export const LARGE_BYTES_MIN = 16 * 1024;
const HOME_SETTING = "objects";
const NOTHING = new Uint8Array();
const SHA256_LENGTH = 64;

const sha256Of = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
/** The last segment of a name begins with the hash of the content. */
const hashIn = (name: string): string => {
  const start = name.lastIndexOf("/") + 1;
  return name.slice(start, start + SHA256_LENGTH);
};

const prefixIn = (home: string, service: string): string => `${home}/${service}/`;

export class ObjectStore {
  readonly #database: Database;
  /** Undefined: bytes go to the database. */
  readonly s3: S3Store | undefined;
  /** Each database has a folder of its own, so that several may share a bucket. */
  #home: string | undefined;

  constructor(database: Database, s3: S3Store | undefined) {
    this.#database = database;
    this.s3 = s3;
  }
  /** Bytes on behalf of a service. */
  of(service: string, isInTransaction: boolean): Objects {
    return {
      isApart: this.s3 !== undefined,
      load: (stored) => this.load(stored),
      find: (stored) => this.find(stored),
      store: async (bytes) => {
        if (isInTransaction) throw new Error("bytes were stored inside a transaction");
        return this.store(service, bytes);
      },
    };
  }
  /** What the names of a service begin with; undefined if nothing was ever stored. */
  async findPrefix(service: string): Promise<string | undefined> {
    this.#home ??= await findSetting(this.#database.read, HOME_SETTING);
    return this.#home === undefined ? undefined : prefixIn(this.#home, service);
  }
  async load(stored: Stored): Promise<Uint8Array> {
    const found = await this.find(stored);
    if (!found)
      throw unavailable("The store of large objects does not have these bytes as they were stored.");
    return found;
  }
  async find({ bytes, object }: Stored): Promise<Uint8Array | undefined> {
    if (object === null) return bytes;
    if (!this.s3)
      throw unavailable("The bytes are in a store of large objects, which this server was not given.");
    const content = await this.s3.find(object);
    return content && sha256Of(content) === hashIn(object) ? content : undefined;
  }
  async store(service: string, bytes: Uint8Array): Promise<Stored> {
    if (!this.s3 || bytes.length < LARGE_BYTES_MIN) return { bytes, object: null };
    const prefix = (await this.findPrefix(service)) ?? prefixIn(await this.#makeHome(), service);
    const name = `${prefix}${sha256Of(bytes)}-${randomBytes(8).toString("hex")}`;
    await this.s3.put(name, bytes);
    return { bytes: NOTHING, object: name };
  }
  #makeHome(): Promise<string> {
    return this.#database.transact(async (db) => {
      const made = (await findSetting(db, HOME_SETTING)) ?? randomBytes(8).toString("hex");
      await putSetting(db, HOME_SETTING, made);
      return made;
    });
  }
}
