/**
 * The signing keys of an installation. A new key is published a day before it is used, and an old one stays published
 * for a day after it was last used, so that a client with a cached key set never sees an unknown key.
 */
import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import type { Context } from "#kernel/operation";
import { SIGNING_ALGORITHMS, type SigningAlgorithm } from "../../clients/index.ts";
import * as store from "../store/signing-keys.ts";
import type { SigningKeyRow, Tables } from "../tables.ts";
import type { Signer, Verifier } from "./jws.ts";

const DAY_MS = 86_400_000;
export const ROTATION_DAYS = 30;
const LEAD_MS = DAY_MS;
const OVERLAP_MS = DAY_MS;
const RSA_BITS = 2048;
/** How long the cached keys are trusted, because another node may have rotated them. */
const TRUST_MS = 1000;
const KID_RANDOM_LENGTH = 8;
const KID = new RegExp(`^(?:rs256|es256|eddsa)-\\d{1,9}-[A-Za-z0-9]{${KID_RANDOM_LENGTH}}$`);

type Db = Context<Tables>;
/** Enough to verify; also at hand where no operation has begun yet. */
export type KeyReader = Pick<Db, "db" | "clock" | "secrets">;
type Key = Verifier & {
  readonly kid: string;
  readonly generation: number;
  readonly jwk: Readonly<Record<string, unknown>>;
  /** Undefined when it was sealed with another secret key. */
  readonly privateKey: KeyObject | undefined;
  readonly createdAtMs: number;
  readonly activeFromMs: number;
  retireAtMs: number | null;
};

export class KeyRing {
  #keys = new Map<string, Key>();
  #readAtMs = Number.NEGATIVE_INFINITY;
  #making = new Map<SigningAlgorithm, Promise<void>>();
  #published: { readonly second: number; readonly of: Map<string, Key>; readonly keys: Key[] } | undefined;

  async #refresh(context: KeyReader, force = false): Promise<void> {
    if (!force && performance.now() - this.#readAtMs < TRUST_MS) return;
    const rows = await store.listKeys(context.db);
    const keys = new Map<string, Key>();
    for (const row of rows) keys.set(row.kid, this.#keys.get(row.kid) ?? keyOf(row, context));
    for (const row of rows) (keys.get(row.kid) as Key).retireAtMs = row.retire_at;
    this.#keys = keys;
    this.#readAtMs = performance.now();
  }
  #signing(context: Db, alg: SigningAlgorithm): Key | undefined {
    const nowMs = context.clock.nowMs();
    let best: Key | undefined;
    for (const key of this.#keys.values()) {
      const usable = key.alg === alg && key.privateKey !== undefined && key.activeFromMs <= nowMs;
      if (usable && (best === undefined || key.generation > best.generation)) best = key;
    }
    return best;
  }
  newest(alg: SigningAlgorithm): Key | undefined {
    return [...this.#keys.values()]
      .filter((key) => key.alg === alg)
      .sort((a, b) => b.generation - a.generation)[0];
  }

  /** The key to sign with; made on first use. Not inside a transaction. */
  async signer(context: Db, alg: SigningAlgorithm): Promise<Signer> {
    await this.#refresh(context);
    if (!this.#signing(context, alg)) {
      let making = this.#making.get(alg);
      if (!making) {
        making = this.#make(context, alg, context.clock.nowMs()).finally(() => this.#making.delete(alg));
        this.#making.set(alg, making);
      }
      await making;
    }
    const key = this.#signing(context, alg);
    if (!key?.privateKey) throw new Error(`no ${alg} key could be made`);
    return { kid: key.kid, alg, privateKey: key.privateKey };
  }
  /** All that is published, including keys that are not yet or no longer used; worked out once a second at most. */
  async published(context: Db): Promise<readonly Key[]> {
    await this.#refresh(context);
    const second = Math.floor(context.clock.nowSeconds());
    const known = this.#published;
    if (known?.second === second && known.of === this.#keys) return known.keys;
    for (const alg of SIGNING_ALGORITHMS) await this.signer(context, alg);
    const nowMs = context.clock.nowMs();
    const order = (key: Key) => SIGNING_ALGORITHMS.indexOf(key.alg);
    const keys = [...this.#keys.values()]
      .filter(({ retireAtMs }) => retireAtMs === null || retireAtMs > nowMs)
      .sort((a, b) => order(a) - order(b) || a.generation - b.generation);
    this.#published = { second, of: this.#keys, keys };
    return keys;
  }
  async findVerifier(context: KeyReader, kid: unknown): Promise<Verifier | undefined> {
    if (typeof kid !== "string") return undefined;
    // Another node may have made its first key a moment ago.
    await this.#refresh(context, KID.test(kid) && !this.#keys.has(kid));
    const key = this.#keys.get(kid);
    const nowMs = context.clock.nowMs();
    return key && (key.retireAtMs === null || key.retireAtMs > nowMs) ? key : undefined;
  }

  async #make(context: Db, alg: SigningAlgorithm, activeFromMs: number): Promise<void> {
    const generation = (this.newest(alg)?.generation ?? 0) + 1;
    const row = await newRow(context, alg, generation, activeFromMs);
    await context.transact(async ({ db }) => {
      await store.insertKey(db, row);
      await store.retireOlder(db, alg, generation, activeFromMs + OVERLAP_MS);
    });
    await this.#refresh(context, true);
  }
  /** Creates successors of old keys and deletes expired ones. Returns the time of the next check. */
  async rotate(context: Db): Promise<number> {
    const nowMs = context.clock.nowMs();
    await this.#refresh(context, true);
    for (const alg of SIGNING_ALGORITHMS) {
      const newest = this.newest(alg);
      if (newest && newest.createdAtMs + ROTATION_DAYS * DAY_MS <= nowMs)
        await this.#make(context, alg, nowMs + LEAD_MS);
    }
    await context.transact(({ db }) => store.deleteRetired(db, nowMs));
    await this.#refresh(context, true);
    return Math.min(
      // A key that is yet to be made is not old before one that would be made now.
      ...SIGNING_ALGORITHMS.map((alg) => (this.newest(alg)?.createdAtMs ?? nowMs) + ROTATION_DAYS * DAY_MS),
      ...[...this.#keys.values()].flatMap(({ retireAtMs }) => retireAtMs ?? []),
    );
  }
}

const generate = promisify(generateKeyPair);
async function newPair(alg: SigningAlgorithm): Promise<{ publicKey: KeyObject; privateKey: KeyObject }> {
  if (alg === "RS256") return generate("rsa", { modulusLength: RSA_BITS });
  if (alg === "ES256") return generate("ec", { namedCurve: "P-256" });
  return generate("ed25519");
}

async function newRow(
  { ids, clock, secrets }: Db,
  alg: SigningAlgorithm,
  generation: number,
  activeFromMs: number,
): Promise<SigningKeyRow> {
  const { publicKey, privateKey } = await newPair(alg);
  const kid = `${alg.toLowerCase()}-${generation}-${ids.secret(KID_RANDOM_LENGTH)}`;
  return {
    kid,
    account: "",
    alg,
    generation,
    public_jwk: JSON.stringify({ ...publicKey.export({ format: "jwk" }), kid, alg, use: "sig" }),
    private_sealed: secrets.seal(privateKey.export({ format: "pem", type: "pkcs8" }).toString()),
    created_at: clock.nowMs(),
    active_from: activeFromMs,
    retire_at: null,
  };
}

function keyOf(row: SigningKeyRow, { secrets }: KeyReader): Key {
  const jwk = JSON.parse(row.public_jwk);
  return {
    kid: row.kid,
    alg: row.alg as SigningAlgorithm,
    generation: row.generation,
    jwk,
    publicKey: createPublicKey({ key: jwk, format: "jwk" }),
    privateKey: openPrivateKey(row, secrets),
    createdAtMs: row.created_at,
    activeFromMs: row.active_from,
    retireAtMs: row.retire_at,
  };
}
function openPrivateKey(row: SigningKeyRow, secrets: Db["secrets"]): KeyObject | undefined {
  try {
    return createPrivateKey(secrets.open(row.private_sealed));
  } catch {
    // Sealed under another secret key: it can still verify, and a new one takes its place for signing.
    return undefined;
  }
}
