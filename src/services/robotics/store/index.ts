/** The only SQL. `db` comes first, so every call joins the caller's transaction; hot queries are compiled once. */
export * from "./enter.ts";
export * from "./events.ts";
export * from "./honours.ts";
export {
  type EventVersions,
  findEvent,
  findEventVersions,
  findSeason,
  type Ledger,
  playedChangesOf,
} from "./ledger.ts";
export { listMatches, listMatchesOfEvents, type StoredMatch } from "./matches.ts";
export * from "./removals.ts";
export * from "./team-entries.ts";
export * from "./teams.ts";
