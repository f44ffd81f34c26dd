/** Durable work of this service. */
import { forgetJobs } from "./forget.ts";
import { freeJobs } from "./free.ts";
import { snapshotJobs } from "./snapshots.ts";
import { trainJobs } from "./train.ts";

export const jobs = [...forgetJobs, ...trainJobs, ...freeJobs, ...snapshotJobs];
