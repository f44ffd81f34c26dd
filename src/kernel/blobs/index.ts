/** Bytes: uploads, media, archives. */
export { type Blob, CHUNK_BYTES, inChunks } from "./blobs.ts";
export { Checksum } from "./checksum.ts";
export { CONTENT_HEADERS, contentAnswer, contentAnswers, seekableAnswer } from "./content.ts";
