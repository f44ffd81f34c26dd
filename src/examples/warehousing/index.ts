/** Warehousing. Read operations/ next. */
import { defineResourceProvider } from "#kernel/resource-provider";
import { depots } from "./operations/depots.ts";
import { seed } from "./seed.ts";

export default defineResourceProvider({
  name: "warehousing",
  title: "Warehousing",
  summary: "Depots that are built, extended, stocked and torn down.",
  namespace: "Vendor.Warehousing",
  apiVersions: ["2030-01-01"],
  types: [depots],
  seed,
});
