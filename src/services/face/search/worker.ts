/** The worker's entry: scans an index that lies in shared memory for one face after the other. */
import { type Candidate, nearestRows, type Scanned } from "./scan.ts";

export type ScanTask = {
  readonly index: Scanned;
  readonly queries: readonly Int16Array[];
  readonly limit: number;
};

export const run = ({ index, queries, limit }: ScanTask): Candidate[][] =>
  queries.map((query) => nearestRows(index, query, limit));
