/** OpenAPI 3.1. */
export { openApiBytesOf, openApiOf } from "./openapi.ts";
