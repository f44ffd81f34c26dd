/** The body of one request: read when it is first asked for, within its operation's limit and the budget that all bodies share. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Operation } from "../operation/operation.ts";
import type { CallBody, ReceivedBody } from "../protocols/protocol.ts";
import type { Kernel } from "../runtime/kernel.ts";
import {
  announcesBody,
  emptyFile,
  NO_BYTES,
  ReceivedBytes,
  type ReceivedFile,
  receiveBytes,
  receiveFile,
} from "./receive.ts";

const BODY_BYTES_MAX = 1024 * 1024;
/** Of the memory for bodies, so much is for callers whom nobody knows. */
const STRANGERS_SHARE = 0.5;

export class IncomingBody implements CallBody {
  readonly #kernel: Kernel;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  #operation: Operation | undefined;
  #isFromStranger = true;
  #bytes: Buffer = NO_BYTES;
  #file: ReceivedFile | undefined;
  #receiving: Promise<void> | undefined;
  #isBegun = false;
  #bytesTaken = 0;

  constructor(kernel: Kernel, request: IncomingMessage, response: ServerResponse) {
    this.#kernel = kernel;
    this.#request = request;
    this.#response = response;
  }
  /** What it is for decides on its kind and limit. */
  isFor(operation: Operation): void {
    this.#operation = operation;
  }
  isFromKnownCaller(): void {
    this.#isFromStranger = false;
  }
  get bytes(): Buffer {
    return this.#bytes;
  }
  /** Of operations that take large bodies. */
  get file(): ReceivedFile | undefined {
    return this.#file;
  }
  /** What the request log is told of it. */
  get logged(): { readonly requestBody: Buffer; readonly requestLength: number } {
    const { beginning: requestBody, size: requestLength } = this.#file ?? {
      beginning: this.#bytes,
      size: this.#bytes.length,
    };
    return { requestBody, requestLength };
  }
  get received(): ReceivedBody {
    return this.#file ? { bytes: NO_BYTES, sha256: this.#file.sha256 } : new ReceivedBytes(this.#bytes);
  }
  async receive(): Promise<ReceivedBody> {
    await this.begin();
    return this.received;
  }
  /** From now on it is what was in it. */
  open(opened: (bytes: Uint8Array) => Buffer): void {
    this.#bytes = opened(this.#bytes);
  }
  /** Undefined when it is there already. */
  begin(): Promise<void> | undefined {
    if (this.#isBegun) return this.#receiving;
    this.#isBegun = true;
    const { bodyKinds, bodyBytesMax = BODY_BYTES_MAX } = this.#operation ?? {};
    const streams = bodyKinds?.[0] === "stream";
    if (streams) this.#file = emptyFile;
    const isAnnounced = announcesBody(this.#request, bodyBytesMax);
    if (this.#request.headers.expect !== undefined) this.#response.writeContinue();
    if (!isAnnounced) return undefined;
    this.#receiving = streams ? this.#receiveFile(bodyBytesMax) : this.#receiveBytes(bodyBytesMax);
    return this.#receiving;
  }
  #receiveBytes(bytesMax: number): Promise<void> | undefined {
    const received = receiveBytes(this.#request, bytesMax, (bytes) => this.#take(bytes));
    if (received instanceof Promise)
      return received.then((bytes) => {
        this.#bytes = bytes;
      });
    this.#bytes = received;
    return undefined;
  }
  async #receiveFile(bytesMax: number): Promise<void> {
    const { temporaryFolder, bytesOnDisk } = this.#kernel;
    this.#file = await receiveFile(this.#request, bytesMax, temporaryFolder, bytesOnDisk);
  }
  #take(bytes: number): void {
    this.#kernel.bytesInMemory.take(bytes, this.#isFromStranger ? STRANGERS_SHARE : 1);
    this.#bytesTaken += bytes;
  }
  /** Gives back what it took of the budget, and its place on disk. */
  release(): void {
    if (this.#bytesTaken > 0) this.#kernel.bytesInMemory.give(this.#bytesTaken);
    if (this.#file) void this.#file.close();
  }
}
