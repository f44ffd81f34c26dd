/** Interface descriptions: read when an API is imported, written when one is exported. */
import { type DescribedApi, DocumentError } from "./document.ts";
import { readOpenApi } from "./read.ts";
import { parseYaml } from "./yaml.ts";

export {
  type DescribedApi,
  DocumentError,
  type NamedOperation,
  type OperationDetails,
  type Schemas,
} from "./document.ts";
export { writeOpenApi } from "./write.ts";
export { writeYaml } from "./yaml.ts";

/** `openapi` takes YAML, of which JSON is a part. */
export type ImportFormat = "openapi" | "openapi+json";
function parsed(text: string, format: ImportFormat): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (format === "openapi") return parseYaml(text);
    throw new DocumentError(`The document is not JSON: ${(error as Error).message}`);
  }
}
/** Throws a DocumentError that tells the place. */
export const readDescription = (text: string, format: ImportFormat, schemaId: string): DescribedApi =>
  readOpenApi(parsed(text, format), schemaId);
