/** Durable work of functions. */
import { catalogueChanged } from "./catalogue-changed.ts";
import { deliverJobs } from "./deliver.ts";
import { deploy } from "./deploy.ts";
import { forgetJobs } from "./forget.ts";
import { remove } from "./remove.ts";
import { upgrade } from "./upgrade.ts";

export { watchAsWanted } from "./catalogue-changed.ts";
export { invoke, publish, publishMessage } from "./deliver.ts";
export { deploy } from "./deploy.ts";
export { planForgetting } from "./forget.ts";
export { remove } from "./remove.ts";
export { upgrade } from "./upgrade.ts";
export { beginOperation, CODES, DEPLOY_STAGES } from "./work.ts";
export const jobs = [deploy, remove, upgrade, ...deliverJobs, ...forgetJobs, catalogueChanged];
