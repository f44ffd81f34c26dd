/** Jobs of this service. */
import { demoFacesJob } from "./demo-faces.ts";
import { forgetJobs } from "./forget.ts";
import { freeJobs } from "./free.ts";
import { snapshotJobs } from "./snapshots.ts";
import { trainJobs } from "./train.ts";

export const jobs = [...forgetJobs, ...trainJobs, ...freeJobs, ...snapshotJobs, demoFacesJob];
