/** Durable work of functions. */
import { catalogueChanged } from "./catalogue-changed.ts";
import { deliverJobs } from "./deliver.ts";
import { deploy } from "./deploy.ts";
import { forgetJobs } from "./forget.ts";
import { remove } from "./remove.ts";
import { upgrade } from "./upgrade.ts";

export { beginCreate, beginRemove, beginUpdate, lettersOf } from "./begin.ts";
export { invoke, publish, publishMessage } from "./deliver.ts";
export { snapshotOf } from "./deploy.ts";
export { planForgetting } from "./forget.ts";
export { upgrade } from "./upgrade.ts";
export { beginOperation, CODES } from "./work.ts";
export const jobs = [deploy, remove, upgrade, ...deliverJobs, ...forgetJobs, catalogueChanged];
