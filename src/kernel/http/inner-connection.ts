/** A connection within the process: what is written at one end is read at the other, and no network is involved. */
import { Duplex } from "node:stream";

class InnerEnd extends Duplex {
  #peer: InnerEnd | undefined;
  #taken: (() => void) | undefined;
  /** As the server tells its callers apart. */
  readonly remoteAddress: string;
  constructor(remoteAddress: string) {
    super();
    this.remoteAddress = remoteAddress;
  }
  join(peer: InnerEnd): void {
    this.#peer = peer;
  }
  override _read(): void {
    const taken = this.#taken;
    this.#taken = undefined;
    taken?.();
  }
  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    const peer = this.#peer;
    if (!peer || peer.destroyed) {
      done();
      return;
    }
    peer.#taken = done;
    peer.push(chunk);
  }
  override _final(done: () => void): void {
    this.#peer?.push(null);
    done();
  }
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const peer = this.#peer;
    this.#peer = undefined;
    if (peer && !peer.destroyed) process.nextTick(() => peer.destroy());
    done(error);
  }
}

export function innerConnection(remoteAddress: string): { readonly server: Duplex; readonly client: Duplex } {
  const server = new InnerEnd(remoteAddress);
  const client = new InnerEnd("");
  server.join(client);
  client.join(server);
  return { server, client };
}
