/** A proxy as people put it before an installation: it ends TLS and passes requests on in plain text. */
import { request as sendPlain } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { createEphemeralAuthority } from "../../src/kernel/tls/index.ts";

export class TlsProxy {
  readonly #server: Server;
  /** Where requests go; known only once the installation has started. */
  target = "";

  private constructor(server: Server) {
    this.#server = server;
  }
  static async open(): Promise<TlsProxy> {
    const { certificatePem, keyPem } = await createEphemeralAuthority({ hosts: [], nowMs: Date.now() });
    const server = createServer({ cert: certificatePem, key: keyPem }, (request, response) => {
      const headers = { ...request.headers, "x-forwarded-for": request.socket.remoteAddress ?? "" };
      const onward = sendPlain(
        `${proxy.target}${request.url}`,
        { method: request.method, headers: { ...headers, host: "inside:4020" } },
        (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
        },
      );
      onward.on("error", () => response.writeHead(502).end());
      request.pipe(onward);
    });
    const proxy = new TlsProxy(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }
  get url(): string {
    return `https://localhost:${(this.#server.address() as AddressInfo).port}`;
  }
  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}
