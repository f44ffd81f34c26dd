/**
 * All SQL of this service. Every function takes `db` first and joins the caller's transaction. Hot queries
 * are compiled once.
 */
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
