/** All durable work. */
import { blurringJobs } from "./blurring.ts";
import { deletionJobs } from "./deletion.ts";
import { mediaJobs } from "./media.ts";
import { notificationJobs } from "./notifications.ts";
import { openingJobs } from "./openings.ts";

export const jobs = [...deletionJobs, ...mediaJobs, ...notificationJobs, ...blurringJobs, ...openingJobs];
