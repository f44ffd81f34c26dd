/** UDP sockets of one call: signalling and audio. */
import { createSocket, type RemoteInfo, type Socket } from "node:dgram";
import { isIPv6 } from "node:net";

export type Address = {
  host: string;
  port: number;
};

export function hostInUri(host: string): string {
  return isIPv6(host) ? `[${host}]` : host;
}

export class DatagramSocket {
  readonly #socket: Socket;
  #isClosed = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Binds to a free port of the local address. */
  static async open(
    localHost: string,
    receive: (datagram: Buffer, from: RemoteInfo) => void,
  ): Promise<DatagramSocket> {
    const socket = createSocket(isIPv6(localHost) ? "udp6" : "udp4");
    await new Promise<void>((resolve, reject) => {
      socket.once("error", reject);
      socket.bind({ address: localHost, port: 0, exclusive: true }, () => {
        socket.off("error", reject);
        resolve();
      });
    });
    // Errors of single datagrams are reported to their sender.
    socket.on("error", () => undefined);
    socket.on("message", receive);
    return new DatagramSocket(socket);
  }

  get address(): Address {
    const { address, port } = this.#socket.address();
    return { host: address, port };
  }

  send(datagram: Uint8Array, to: Address, onError?: (error: Error) => void): void {
    if (this.#isClosed) return;
    this.#socket.send(datagram, to.port, to.host, (error) => {
      if (error !== null && !this.#isClosed) onError?.(error);
    });
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await new Promise<void>((resolve) => this.#socket.close(resolve));
  }
}

/** Local address of the route to the peer. No packet is sent. */
export async function findLocalHost(peer: Address): Promise<string> {
  const socket = createSocket(isIPv6(peer.host) ? "udp6" : "udp4");
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once("error", reject);
      socket.connect(peer.port, peer.host, resolve);
    });
    return socket.address().address;
  } finally {
    socket.close();
  }
}
