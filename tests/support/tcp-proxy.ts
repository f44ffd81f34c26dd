/** A network that fails as real ones do: between two sides it can swallow bytes, delay them, or cut the line. */
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

type Line = { readonly near: Socket; readonly far: Socket; silent: boolean };

export class TcpProxy {
  readonly #server: Server;
  readonly #lines = new Set<Line>();
  #silent = false;
  #delayMs = 0;
  #target: number;

  private constructor(target: number) {
    this.#target = target;
    this.#server = createServer((near) => this.#join(near));
  }
  static async start(targetPort: number): Promise<TcpProxy> {
    const proxy = new TcpProxy(targetPort);
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }
  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }
  get lineCount(): number {
    return this.#lines.size;
  }
  /** The same address as before, with the proxy in between. */
  through(url: string): string {
    return url.replace(/:\d+\//, `:${this.port}/`);
  }
  /** Takes every byte and passes none on; lines that are opened meanwhile stay silent for good, as do those there are. */
  swallow(): void {
    this.#silent = true;
    this.swallowOnLines();
  }
  /** As `swallow`, but new lines are as they should be. */
  swallowOnLines(): void {
    for (const line of this.#lines) line.silent = true;
  }
  delay(ms: number): void {
    this.#delayMs = ms;
  }
  /** New lines pass again. What was swallowed is lost. */
  heal(): void {
    this.#silent = false;
    this.#delayMs = 0;
  }
  /** Ends all lines without a word. */
  cut(): void {
    for (const { near, far } of this.#lines) {
      near.destroy();
      far.destroy();
    }
  }
  pointAt(targetPort: number): void {
    this.#target = targetPort;
  }
  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.cut();
    await closed;
  }

  #join(near: Socket): void {
    const far = connect(this.#target, "127.0.0.1");
    const line: Line = { near, far, silent: this.#silent };
    this.#lines.add(line);
    this.#carry(line, near, far);
    this.#carry(line, far, near);
  }
  #carry(line: Line, from: Socket, to: Socket): void {
    const later = (act: () => void) => (this.#delayMs > 0 ? setTimeout(act, this.#delayMs) : act());
    from.on("data", (bytes) => {
      if (!line.silent) later(() => to.writable && to.write(bytes));
    });
    from.on("error", () => {});
    from.on("close", () => {
      if (line.silent) return;
      later(() => to.destroy());
      this.#lines.delete(line);
    });
  }
}
