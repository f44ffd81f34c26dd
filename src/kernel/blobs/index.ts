/** Bytes: uploads, media, archives. */
export { BLOB_CHUNKS, type Blob, CHUNK_BYTES, inChunks, type Prepared } from "./blobs.ts";
export { Checksum } from "./checksum.ts";
export { CONTENT_HEADERS, contentAnswer, contentAnswers, seekableAnswer } from "./content.ts";
