/** All jobs of this service. */
import { attachments } from "./attachments.ts";
import { lookIntoFolder } from "./folder.ts";
import { indexJobs } from "./index-work.ts";
import { refresh } from "./refresh.ts";
import { review } from "./review.ts";
import { scoreJobs } from "./scores.ts";

export const jobs = [review, refresh, attachments, lookIntoFolder, ...indexJobs, ...scoreJobs];
