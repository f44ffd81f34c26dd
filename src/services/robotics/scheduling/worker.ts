/** Worker entry. A schedule occupies a core for seconds. */
export { generateSchedule } from "./generator.ts";
