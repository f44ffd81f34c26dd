/** What can go wrong with depots, beyond what can go wrong with any resource. */
import { defineErrors } from "#kernel/operation";

export const errors = defineErrors({
  depotFull: ["DepotFull", 409],
  depotTooSmall: ["DepotTooSmall", 409],
});
