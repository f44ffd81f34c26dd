/** OpenAPI 3.1. */
export {
  type OpenApiBytes,
  type OpenApiDocument,
  openApiBytesOf,
  openApiOf,
  openApiOperationOf,
} from "./openapi.ts";
export { documentFileOf } from "./saved-documents.ts";
export { aroundOf, toldOf } from "./told.ts";
