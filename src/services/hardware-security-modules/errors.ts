/** What can go wrong with dedicated HSMs, beyond what can go wrong with any resource. */
import { defineErrors } from "#kernel/operation";

export const errors = defineErrors({
  invalidSku: ["InvalidSku", 400],
  invalidZones: ["InvalidAvailabilityZones", 400],
  invalidStamp: ["InvalidStampId", 400],
  invalidSubnet: ["InvalidSubnetId", 400],
  invalidAddress: ["InvalidPrivateIpAddress", 400],
  propertyChangeNotAllowed: ["PropertyChangeNotAllowed", 409],
  addressInUse: ["PrivateIPAddressInUse", 409],
  quotaExceeded: ["QuotaExceeded", 409],
});
