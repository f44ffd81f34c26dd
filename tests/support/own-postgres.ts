/** A PostgreSQL of our own, from an npm package, in a throw-away folder. */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, loadPostgres } from "./postgres-package.ts";

const STARTS_MAX = 5;

export type OwnPostgres = { readonly url: string; readonly stop: () => Promise<void> };

/** `settings` as in `max_connections=200`. Between finding a free port and taking it, somebody else may take it: then the next is tried. */
export async function startPostgres(settings: readonly string[]): Promise<OwnPostgres> {
  const folder = mkdtempSync(join(tmpdir(), "medley-postgres-"));
  // Run by root, the server takes another user, who must get to the folder.
  chmodSync(folder, 0o755);
  const EmbeddedPostgres = await loadPostgres();
  for (let start = 1; ; start += 1) {
    const port = await freePort();
    const postgres = new EmbeddedPostgres({
      databaseDir: join(folder, "data"),
      user: "medley",
      password: "medley",
      port,
      persistent: false,
      createPostgresUser: process.getuid?.() === 0,
      initdbFlags: ["--locale=C", "--encoding=UTF8"],
      postgresFlags: ["fsync=off", "unix_socket_directories=", ...settings].flatMap((setting) => [
        "-c",
        setting,
      ]),
      onLog: () => {},
      onError: () => {},
    });
    if (start === 1) await postgres.initialise();
    try {
      await postgres.start();
    } catch (error) {
      if (start === STARTS_MAX) throw error;
      continue;
    }
    return {
      url: `postgres://medley:medley@127.0.0.1:${port}`,
      stop: async () => {
        await postgres.stop();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  }
}
