/** What the kernel is tested and measured with. */
export { sampleService } from "./sample-service.ts";
