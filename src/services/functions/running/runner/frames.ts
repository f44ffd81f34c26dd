/**
 * The protocol between the server and a function's process. One connection carries many requests at the same time.
 * A frame has a length (4 bytes), a request number (4), a kind (1) and content. Both sides run this file, so it imports
 * only Node.
 */
import type { Socket } from "node:net";

export const FRAME = {
  /** A whole request: method, address, names and values of headers, a line each. */
  request: 1,
  /** The same, and its body follows. */
  requestWithBody: 2,
  /** Of a request its body; of an answer everything, as HTTP writes it but for chunks. */
  data: 3,
  end: 4,
  /** The rest is no longer needed. */
  stop: 5,
  /** Flow control: this number of further bytes may be sent. */
  credit: 6,
  /** A health check. The answer is the same frame. */
  check: 7,
  /** How coming up went, as JSON. */
  ready: 8,
} as const;
/**
 * Flow control window: bytes of a request or answer that may be sent before the other side has accepted
 * them.
 */
export const WINDOW_BYTES = 128 * 1024;
const FRAME_BYTES_MAX = 1024 * 1024 + 64 * 1024;
const PREFIX_BYTES = 9;
const GATHERED_BYTES = 64 * 1024;
/** Of a character in UTF-8, in units of a text's length. */
export const CHARACTER_BYTES_MAX = 3;

export type Content = string | Uint8Array;
export type Encoding = "latin1" | "utf8";

export function frameOf(kind: number, id: number, content: Content = ""): Buffer {
  const bytes = typeof content === "string" ? Buffer.from(content, "latin1") : content;
  const frame = Buffer.allocUnsafe(PREFIX_BYTES + bytes.length);
  writePrefix(frame, 0, kind, id, bytes.length);
  frame.set(bytes, PREFIX_BYTES);
  return frame;
}
function writePrefix(buffer: Buffer, at: number, kind: number, id: number, length: number): void {
  buffer.writeUInt32LE(length, at);
  buffer.writeUInt32LE(id, at + 4);
  buffer[at + 8] = kind;
}
export function creditOf(bytes: number): Buffer {
  const content = Buffer.allocUnsafe(4);
  content.writeUInt32LE(bytes);
  return content;
}

/** Frames of one turn of the event loop are written together: writing, and waking the other side, costs more than they do. */
export class FrameWriter {
  readonly #socket: Socket;
  readonly #flush = () => {
    this.#isPlanned = false;
    this.#writeGathered();
  };
  #gathered = Buffer.allocUnsafe(GATHERED_BYTES);
  #used = 0;
  #isPlanned = false;

  constructor(socket: Socket) {
    this.#socket = socket;
  }
  /** Answers how many bytes the content has. */
  add(kind: number, id: number, content: Content = "", encoding: Encoding = "latin1"): number {
    const room = typeof content === "string" ? content.length * CHARACTER_BYTES_MAX : content.length;
    if (this.#used + PREFIX_BYTES + room > GATHERED_BYTES) {
      this.#writeGathered();
      if (PREFIX_BYTES + room > GATHERED_BYTES) {
        const bytes = typeof content === "string" ? Buffer.from(content, encoding) : content;
        this.#socket.write(frameOf(kind, id, bytes));
        return bytes.length;
      }
    }
    const start = this.#used + PREFIX_BYTES;
    let length = content.length;
    if (typeof content === "string") length = this.#gathered.write(content, start, encoding);
    else this.#gathered.set(content, start);
    writePrefix(this.#gathered, this.#used, kind, id, length);
    this.#used = start + length;
    if (!this.#isPlanned) setImmediate(this.#flush);
    this.#isPlanned = true;
    return length;
  }
  #writeGathered(): void {
    if (this.#used === 0) return;
    this.#socket.write(this.#gathered.subarray(0, this.#used));
    this.#used = 0;
    // The socket still uses this buffer, so a new one is allocated.
    if (this.#socket.writableLength > 0) this.#gathered = Buffer.allocUnsafe(GATHERED_BYTES);
  }
}

/** Parses frames. */
export class FrameReader {
  readonly #take: (kind: number, id: number, content: Buffer) => void;
  /** A frame that has begun to arrive. Its parts are copied once each, so many small ones take linear time. */
  #begun: Buffer | undefined;
  #filled = 0;

  constructor(take: (kind: number, id: number, content: Buffer) => void) {
    this.#take = take;
  }
  /** Returns false if the data is not a valid frame. */
  read(part: Buffer): boolean {
    let bytes = part;
    while (this.#begun) {
      const copied = bytes.copy(this.#begun, this.#filled);
      this.#filled += copied;
      bytes = bytes.subarray(copied);
      if (this.#filled < this.#begun.length) return true;
      const whole = this.#begun;
      const length = whole.readUInt32LE(0);
      if (length > FRAME_BYTES_MAX) return false;
      this.#begun = undefined;
      if (whole.length < PREFIX_BYTES + length) this.#begin(whole);
      else this.#tell(whole, 0, whole.length);
    }
    return this.#readWhole(bytes);
  }
  #readWhole(bytes: Buffer): boolean {
    let at = 0;
    while (bytes.length - at >= PREFIX_BYTES) {
      const length = bytes.readUInt32LE(at);
      if (length > FRAME_BYTES_MAX) return false;
      const end = at + PREFIX_BYTES + length;
      if (end > bytes.length) break;
      this.#tell(bytes, at, end);
      at = end;
    }
    if (at < bytes.length) this.#begin(bytes.subarray(at));
    return true;
  }
  #begin(bytes: Buffer): void {
    const length = bytes.length < PREFIX_BYTES ? 0 : bytes.readUInt32LE(0);
    this.#begun = Buffer.allocUnsafe(PREFIX_BYTES + length);
    this.#filled = bytes.copy(this.#begun);
  }
  #tell(bytes: Buffer, at: number, end: number): void {
    this.#take(bytes[at + 8] as number, bytes.readUInt32LE(at + 4), bytes.subarray(at + PREFIX_BYTES, end));
  }
}
