/** Large bytes beside the database. */
export { moveObjects } from "./move.ts";
export { countNames } from "./names.ts";
export { ObjectStore, type Stored } from "./objects.ts";
export { openS3 } from "./s3-store.ts";
export { sweepObjects } from "./sweep.ts";
export { type Verified, verifyObjects } from "./verify.ts";
