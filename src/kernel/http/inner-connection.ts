/** A connection within the process: one end reads what the other writes, without a network. */
import { Duplex } from "node:stream";

class InnerEnd extends Duplex {
  #peer: InnerEnd | undefined;
  #taken: (() => void) | undefined;
  /** The address by which the server knows this caller. */
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
