/** A cache of trained models: loaded on first use, with the least recently used dropped first. */
import type { Instance } from "#kernel/operation";
import { type LoadedModel, loadModel } from "./learning/index.ts";

const BYTES_MAX = 256 * 1024 * 1024;

export class LoadedModels {
  readonly #instance: Instance;
  readonly #kept = new Map<string, LoadedModel>();
  readonly #loading = new Map<string, Promise<LoadedModel | undefined>>();
  #bytes = 0;

  constructor(instance: Instance) {
    this.#instance = instance;
  }
  /** Undefined where the blob is gone. The account is the application's. */
  async get(account: string, blob: string): Promise<LoadedModel | undefined> {
    const key = `${account} ${blob}`;
    const kept = this.#kept.get(key);
    if (!kept) return this.#loading.get(key) ?? this.#load(key, account, blob);
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept;
  }
  forget(): void {
    this.#kept.clear();
    this.#bytes = 0;
  }

  async #load(key: string, account: string, blob: string): Promise<LoadedModel | undefined> {
    const loading = this.#instance
      .workAs("language", account)
      .blobs.read(blob)
      .then((bytes) => bytes && loadModel(bytes));
    this.#loading.set(key, loading);
    try {
      const model = await loading;
      if (model) this.#keep(key, model);
      return model;
    } finally {
      this.#loading.delete(key);
    }
  }
  #keep(key: string, model: LoadedModel): void {
    this.#kept.set(key, model);
    this.#bytes += model.bytes;
    for (const [oldest, { bytes }] of this.#kept) {
      if (this.#bytes <= BYTES_MAX || oldest === key) break;
      this.#kept.delete(oldest);
      this.#bytes -= bytes;
    }
  }
}
