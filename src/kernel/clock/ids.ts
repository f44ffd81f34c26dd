/** Identifiers and randomness. */
import { randomBytes, randomUUID } from "node:crypto";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Twelve digits of time and a counter come first, so ids sort in the order of creation. */
export class Ids {
  #lastMs = 0;
  /** As written in ids. */
  #time = "";
  #counter = 0;
  #pool = randomBytes(4096);
  #used = 0;

  #random(count: number): Buffer {
    if (this.#used + count > this.#pool.length) {
      this.#pool = randomBytes(4096);
      this.#used = 0;
    }
    this.#used += count;
    return this.#pool.subarray(this.#used - count, this.#used);
  }
  /** `job_01hf…`: sortable, unguessable. */
  next(prefix: string): string {
    return `${prefix}_${this.sortable()}`;
  }
  sortable(): string {
    const ms = Date.now();
    if (ms > this.#lastMs) {
      this.#lastMs = ms;
      this.#time = written(ms, 9);
      this.#counter = 0;
    } else this.#counter += 1;
    let id = this.#time + written(this.#counter, 4);
    const random = this.#random(10);
    for (let i = 0; i < random.length; i += 1) id += ALPHABET[(random[i] as number) & 31];
    return id;
  }
  uuid(): string {
    return randomUUID();
  }
  /** A secret of letters and digits. */
  secret(length: number): string {
    let text = "";
    while (text.length < length) {
      for (const byte of randomBytes(length))
        if (byte < 248 && text.length < length) text += BASE62[byte % 62];
    }
    return text;
  }
  digits(length: number): string {
    let text = String(1 + ((randomBytes(1)[0] ?? 0) % 9));
    while (text.length < length)
      for (const byte of randomBytes(length)) if (byte < 250 && text.length < length) text += byte % 10;
    return text;
  }
  bytes(length: number): Buffer {
    return randomBytes(length);
  }
  /** In [0, 1). */
  fraction(): number {
    return randomBytes(6).readUIntBE(0, 6) / 2 ** 48;
  }
}

/** The last digits of a number in base 32. */
function written(value: number, digits: number): string {
  let text = "";
  let rest = value;
  for (let i = 0; i < digits; i += 1) {
    text = (ALPHABET[rest % 32] ?? "") + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}
