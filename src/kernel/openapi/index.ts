/** OpenAPI 3.1. */
export { openApiOf } from "./openapi.ts";
