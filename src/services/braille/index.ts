/** Braille translation (specification S4). Read operations/translate.ts next, then translator/worker.ts. */
import { defineService, operationGroup } from "#kernel/operation";
import { apiKeyIn, plain } from "#kernel/protocols";
import { consoleViews } from "./console.ts";
import { makersSpelling } from "./dialect.ts";
import { getCellPicture } from "./operations/pictures.ts";
import { listTables } from "./operations/tables.ts";
import { translateOperations } from "./operations/translate.ts";

export default defineService({
  name: "braille",
  title: "Braille",
  summary: "Translates text into braille and back, in five notations and some ninety codes.",
  contract: "S4",
  mount: "/braille",
  protocol: plain({
    scheme: apiKeyIn("X-Vendor-Api-Secret"),
    errorBody: ({ status, message }) => ({
      error: { code: status, message: status === 401 ? `Unauthorized: ${message}` : message },
    }),
  }),
  dialects: [makersSpelling],
  // Browser apps call this service cross-origin, with a credential in a header.
  operations: operationGroup({ crossOrigin: true }, [...translateOperations, listTables, getCellPicture]),
  console: consoleViews,
});
