/** All durable work. */
import { attachments } from "./attachments.ts";
import { refresh } from "./refresh.ts";
import { review } from "./review.ts";

export const jobs = [review, refresh, attachments];
