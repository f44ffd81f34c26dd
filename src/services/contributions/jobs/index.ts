/** All durable work. */
import { deletionJobs } from "./deletion.ts";
import { mediaJobs } from "./media.ts";
import { notificationJobs } from "./notifications.ts";

export const jobs = [...deletionJobs, ...mediaJobs, ...notificationJobs];
