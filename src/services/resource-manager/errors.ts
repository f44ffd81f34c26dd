/** What can go wrong here and nowhere else in resource management; what any resource manager may report is the engine's. */
import { defineErrors } from "#kernel/operation";

export const errors = defineErrors({
  invalidGroupLocation: ["InvalidResourceGroupLocation", 409],
  invalidNamespace: ["InvalidResourceNamespace", 404],
});
