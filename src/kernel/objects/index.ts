/** Large bytes beside the database. */
export { moveObjects } from "./move.ts";
export { LARGE_BYTES_MIN, type Stored } from "./objects.ts";
export { sweepObjects } from "./sweep.ts";
export { type Verified, verifyObjects } from "./verify.ts";
