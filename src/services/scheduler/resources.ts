/** Collections in the resource catalogue, with their jobs and recent runs. */
import type { FindRelated } from "#kernel/operation";
import { ATTEMPTS, JOBS } from "./console.ts";

const COLLECTION = "Vendor::Scheduler::JobCollection";

export const findRelated: FindRelated = async (_context, { type, name }) =>
  type === COLLECTION
    ? [
        { title: "Jobs", view: JOBS, text: `${name}/` },
        { title: "Runs", view: ATTEMPTS, text: `${name}/` },
      ]
    : [];
