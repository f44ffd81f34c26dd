/** OpenAPI documents: parsed at import, written at export. */
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

/** `openapi` accepts YAML, which includes JSON. */
export type ImportFormat = "openapi" | "openapi+json";
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new DocumentError(`The document is not JSON: ${(error as Error).message}`);
  }
}
/** Parses a JSON document. Throws a DocumentError that names the position. */
export const readDescription = (text: string, schemaId: string): DescribedApi =>
  readOpenApi(parsed(text), schemaId);
