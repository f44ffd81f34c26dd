/** OpenAPI 3.1. */
export { type OpenApiBytes, openApiBytesOf, openApiOf } from "./openapi.ts";
