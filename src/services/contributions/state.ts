/** In-memory state of one running instance. */
import type { Context, Instance } from "#kernel/operation";
import { FairQueue } from "#kernel/workers";
import { ColumnCache } from "./domain/column-cache.ts";
import { Places } from "./domain/order.ts";
import { SearchTail } from "./domain/search-tail.ts";
import { type MediaWork, startMediaWork, stopMediaWork } from "./media/state.ts";
import type { Tables } from "./tables/index.ts";
import { Visits } from "./visits.ts";

export type State = {
  readonly places: Places;
  readonly columns: ColumnCache;
  readonly searchTail: SearchTail;
  readonly media: MediaWork;
  readonly visits: Visits;
  /** Counting many matches takes seconds. A queue runs the counts of anonymous callers one at a time. */
  readonly strangersCounts: FairQueue;
  /** For requests whose address names the account. */
  workAs(account: string): ContributionsContext;
};
export type ContributionsContext = Context<Tables, State>;
/** What views need: from a request, or from a job that works for a user. */
export type Viewing = Pick<ContributionsContext, "db" | "account" | "clock" | "secrets" | "request">;

export const STRANGERS_COUNTS = { placesMax: 1, waitingPerCallerMax: 8, waitingMax: 32 };
/** Threads start at their first use. */
export const start = (instance: Instance): State => ({
  places: new Places(),
  columns: new ColumnCache(),
  searchTail: new SearchTail(),
  media: startMediaWork(instance.pictureMemory),
  visits: new Visits(),
  strangersCounts: new FairQueue(STRANGERS_COUNTS),
  workAs: (account) => instance.workAs("contributions", account),
});
export const stop = ({ media }: State): Promise<void> => stopMediaWork(media);
