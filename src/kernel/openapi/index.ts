/** OpenAPI 3.1. */
export { type OpenApiBytes, openApiBytesOf, openApiOf, openApiOperationOf } from "./openapi.ts";
export { aroundOf, toldOf } from "./told.ts";
