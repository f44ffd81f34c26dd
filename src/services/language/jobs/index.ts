/** All durable work of the service. */
import { batchTestJobs } from "./batch-tests.ts";
import { largeContentJobs } from "./large-content.ts";
import { testSetJobs } from "./test-sets.ts";
import { trainingJobs } from "./training.ts";

export const jobs = [...trainingJobs, ...batchTestJobs, ...testSetJobs, ...largeContentJobs];
