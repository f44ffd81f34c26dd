/** Interface descriptions: read when an API is imported, written when one is exported. */
import { type DescribedApi, DocumentError } from "./document.ts";
import { readOpenApi } from "./read.ts";

export {
  type DescribedApi,
  DocumentError,
  type NamedOperation,
  type OperationDetails,
  type Schemas,
} from "./document.ts";
export { OPERATIONS_MAX } from "./read.ts";
export { writeOpenApi } from "./write.ts";

/** `openapi` takes YAML, of which JSON is a part. */
export type ImportFormat = "openapi" | "openapi+json";
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new DocumentError(`The document is not JSON: ${(error as Error).message}`);
  }
}
/** Of the text of a JSON document. Throws a DocumentError that tells the place. */
export const readDescription = (text: string, schemaId: string): DescribedApi =>
  readOpenApi(parsed(text), schemaId);
