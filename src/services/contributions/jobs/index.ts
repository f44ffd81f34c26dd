/** All durable work. */
import { deletionJobs } from "./deletion.ts";

export const jobs = [...deletionJobs];
