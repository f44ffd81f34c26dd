/** The worker's entry: makes one schedule after another, each of which keeps a core busy for seconds. */
export { generateSchedule } from "./generator.ts";
