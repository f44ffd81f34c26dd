/** Copies what was written ahead into the database file, on a thread of its own: of very much that takes seconds. */
import { workerData } from "node:worker_threads";
import { SqliteConnection } from "./sqlite-connection.ts";

const connection = new SqliteConnection(workerData as string);
connection.exec("PRAGMA wal_checkpoint(PASSIVE)");
connection.close();
