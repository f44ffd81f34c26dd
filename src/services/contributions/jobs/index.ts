/** All durable work. */
import { deletionJobs } from "./deletion.ts";
import { mediaJobs } from "./media.ts";

export const jobs = [...deletionJobs, ...mediaJobs];
