/** Diagnostics of API management instances: the contract's service D. */
import { defineResourceProvider } from "#kernel/resource-provider";
import { makersDialect } from "./dialect.ts";
import { diagnostics } from "./operations/diagnostics.ts";
import { instances } from "./operations/instances.ts";
import { seed } from "./seed.ts";

export default defineResourceProvider({
  name: "api-diagnostics",
  title: "API diagnostics",
  summary: "Diagnostics of API management instances, with filters, entity tags and conditional changes.",
  contract: "D",
  namespace: "Vendor.ApiManagement",
  apiVersions: [
    "2019-12-01-preview",
    "2018-01-01",
    "2018-06-01-preview",
    "2019-01-01",
    "2019-12-01",
    "2020-06-01-preview",
    "2020-12-01",
    "2021-01-01-preview",
    "2021-04-01-preview",
    "2021-08-01",
    "2021-12-01-preview",
    "2022-04-01-preview",
    "2022-08-01",
    "2022-09-01-preview",
    "2023-03-01-preview",
    "2023-05-01-preview",
    "2023-09-01-preview",
    "2024-05-01",
    "2024-06-01-preview",
  ],
  types: [instances, diagnostics],
  dialects: [makersDialect],
  errors: [],
  seed,
});
