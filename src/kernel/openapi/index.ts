/** OpenAPI 3.1. */

export { aroundOf, derivedSentencesOf } from "./derived-description.ts";
export {
  type OpenApiBytes,
  type OpenApiDocument,
  openApiBytesOf,
  openApiOf,
  openApiOperationOf,
} from "./openapi.ts";
export { documentFileOf } from "./saved-documents.ts";
