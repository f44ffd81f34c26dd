/** Bytes. */
export { type Blob, Blobs } from "./blobs.ts";
