/** Content of a backup as records: each a line of JSON, with as many bytes behind it as it says. */
import { BackupSourceError } from "./content.ts";

type BackupRecord = {
  readonly kind: string;
  readonly value: unknown;
  /** How many bytes follow. */
  readonly size?: number;
};

const NEWLINE = 0x0a;
export const lineOf = (record: BackupRecord): Uint8Array => Buffer.from(`${JSON.stringify(record)}\n`);

/** Reads records one after another; what a caller does not take of a record's bytes is passed over. */
export class RecordReader {
  readonly #parts: AsyncIterator<Uint8Array>;
  #waiting: Uint8Array = new Uint8Array(0);
  #bytesLeft = 0;

  constructor(content: AsyncIterable<Uint8Array>) {
    this.#parts = content[Symbol.asyncIterator]();
  }
  async next(): Promise<BackupRecord | undefined> {
    for await (const _passedOver of this.bytes());
    const line = await this.#line();
    if (line === undefined) return undefined;
    const record = JSON.parse(line) as BackupRecord;
    this.#bytesLeft = record.size ?? 0;
    return record;
  }
  /** Of the record that was read last. */
  async *bytes(): AsyncGenerator<Uint8Array> {
    while (this.#bytesLeft > 0) {
      if (this.#waiting.length === 0 && !(await this.#more())) throw cutOff();
      const some = this.#waiting.subarray(0, this.#bytesLeft);
      this.#waiting = this.#waiting.subarray(some.length);
      this.#bytesLeft -= some.length;
      yield some;
    }
  }
  async *[Symbol.asyncIterator](): AsyncGenerator<BackupRecord> {
    for (let record = await this.next(); record; record = await this.next()) yield record;
  }
  async #line(): Promise<string | undefined> {
    const pieces: Uint8Array[] = [];
    for (;;) {
      const end = this.#waiting.indexOf(NEWLINE);
      if (end >= 0) {
        pieces.push(this.#waiting.subarray(0, end));
        this.#waiting = this.#waiting.subarray(end + 1);
        return Buffer.concat(pieces).toString("utf8");
      }
      pieces.push(this.#waiting);
      if (await this.#more()) continue;
      if (pieces.some(({ length }) => length > 0)) throw cutOff();
      return undefined;
    }
  }
  async #more(): Promise<boolean> {
    const { done, value } = await this.#parts.next();
    this.#waiting = done ? new Uint8Array(0) : value;
    return !done;
  }
}
const cutOff = () => new BackupSourceError("The content of the recovery point ends too early.");

/** Reads the first record, which says what the others belong to. */
export async function readHead<Value>(records: RecordReader, kind: string): Promise<Value> {
  const head = await records.next();
  if (head?.kind !== kind) throw new BackupSourceError(`The content of the recovery point is no ${kind}.`);
  return head.value as Value;
}
