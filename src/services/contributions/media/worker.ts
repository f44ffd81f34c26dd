/** The worker's side: one picture after the other. */
export { run } from "./artifacts.ts";
