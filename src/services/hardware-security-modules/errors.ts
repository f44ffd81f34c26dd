/** Errors of dedicated HSMs beyond the common errors of resources. */
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
