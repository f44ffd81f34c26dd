/** Vendor names in SQL virtual machine resources outside their own namespace. */
import { managementDialect } from "#kernel/resource-provider";

export const makersDialect = managementDialect({
  namespaces: ["Vendor.Compute", "Vendor.KeyVault", "Vendor.Network", "Vendor.Storage"],
  idMembers: [
    "sqlVirtualMachineGroupResourceId",
    "virtualMachineResourceId",
    "loadBalancerResourceId",
    "publicIpAddressResourceId",
    "subnetResourceId",
    "sqlVirtualMachineInstances",
  ],
  fields: { azureKeyVaultUrl: "vendorKeyVaultUrl" },
});
