/** Maps in memory that callers can fill. */
export { makeRoom } from "./make-room.ts";
