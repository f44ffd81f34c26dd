/** The only SQL. `db` comes first, so every call joins the caller's transaction; hot queries are compiled once. */
export * from "./access.ts";
export * from "./attachments.ts";
export * from "./book.ts";
export * from "./cards.ts";
export type { Db } from "./db.ts";
export * from "./events.ts";
export * from "./ledger.ts";
export * from "./oauth.ts";
export * from "./open-pages.ts";
export * from "./payments.ts";
export * from "./proof.ts";
export * from "./rates.ts";
export * from "./records.ts";
export * from "./sequence.ts";
export * from "./shares.ts";
export * from "./statements.ts";
export * from "./users.ts";
export * from "./waiting.ts";
