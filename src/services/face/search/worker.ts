/** Worker entry: scans an index in shared memory for each query. */
import { type Candidate, nearestRows, type Scanned } from "./scan.ts";

export type ScanTask = {
  readonly index: Scanned;
  readonly queries: readonly Int16Array[];
  readonly limit: number;
};

export const run = ({ index, queries, limit }: ScanTask): Candidate[][] =>
  queries.map((query) => nearestRows(index, query, limit));
