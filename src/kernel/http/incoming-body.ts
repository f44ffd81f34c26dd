/** The body of one request: read on first use, within the limit of its operation and the budget of all bodies. */
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
/** The share of the memory for bodies that callers without a credential may use. */
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
  /** The operation decides on kind and limit. */
  isFor(operation: Operation): void {
    this.#operation = operation;
  }
  isFromKnownCaller(): void {
    this.#isFromStranger = false;
  }
  get bytes(): Buffer {
    return this.#bytes;
  }
  /** For operations that take large bodies. */
  get file(): ReceivedFile | undefined {
    return this.#file;
  }
  /** The part for the request log. */
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
  /** Replaces the body by its decoded content. */
  open(opened: (bytes: Uint8Array) => Buffer): void {
    this.#bytes = opened(this.#bytes);
  }
  /** Undefined if the body is complete already. */
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
  /** Returns its share of the budget and its file on disk. */
  release(): void {
    if (this.#bytesTaken > 0) this.#kernel.bytesInMemory.give(this.#bytesTaken);
    if (this.#file) void this.#file.close();
  }
}
