/** The thread of a large transaction. It executes messages one by one on its own connection. */
import { parentPort, workerData } from "node:worker_threads";
import type { QueryResult } from "kysely";
import { SqliteConnection } from "./sqlite-connection.ts";
import { type Answered, type Asked, END } from "./sqlite-large.ts";

if (!parentPort) throw new Error("this file is the inside of a thread");
const port = parentPort;
const connection = new SqliteConnection(workerData as string);
connection.exec(
  "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000; PRAGMA foreign_keys = ON; " +
    "PRAGMA temp_store = MEMORY; PRAGMA cache_size = -32000; PRAGMA wal_autocheckpoint = 0",
);

function answer(asked: Asked): Answered {
  try {
    return { result: typeof asked === "string" ? command(asked) : connection.run(asked) };
  } catch (error) {
    const { message, code } = error as { message: string; code?: unknown };
    return { error: { message, code } };
  }
}
function command(text: string): QueryResult<unknown> {
  connection.exec(text);
  return { rows: [] };
}

port.on("message", (asked: Asked) => {
  if (asked !== END) return port.postMessage(answer(asked));
  connection.close();
  port.close();
});
