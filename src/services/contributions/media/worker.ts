/** The worker's side: one picture at a time. */
export { run } from "./artifacts.ts";
