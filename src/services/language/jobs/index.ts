/** All durable work of the service. */
import { batchTestJobs } from "./batch-tests.ts";
import { trainingJobs } from "./training.ts";

export const jobs = [...trainingJobs, ...batchTestJobs];
