/** Places and bodies for tests of SQL virtual machines, their groups and listeners. */
export const VERSION = "api-version=2017-03-01-preview";
export const AREA = "providers/Vendor.SqlVirtualMachine";
export const sqlVirtualMachineServices = ["sql-virtual-machines", "resource-manager"];

let counter = 0;
/** Every test has a subscription of its own. */
export function newPlace() {
  counter += 1;
  const subscription = `/subscriptions/sql-vm-${counter}`;
  const group = `${subscription}/resourceGroups/data-rg`;
  const id = (rest: string) => `${group}/${AREA}/${rest}`;
  return {
    subscription,
    id,
    path: (rest: string) => `/management${id(rest)}?${VERSION}`,
    across: (type: string) => `/management${subscription}/${AREA}/${type}?${VERSION}`,
    network: (rest: string) => `${group}/providers/Vendor.Network/${rest}`,
    compute: (name: string) => `${group}/providers/Vendor.Compute/virtualMachines/${name}`,
  };
}
export type Place = ReturnType<typeof newPlace>;
type Answered = { status: number; body: any; headers: Headers };

export const PROFILE = {
  domainFqdn: "example.org",
  ouPath: "OU=Clusters,DC=example,DC=org",
  clusterBootstrapAccount: "installer",
  clusterOperatorAccount: "operator@example.org",
  sqlServiceAccount: "sqlservice@example.org",
  storageAccountUrl: "https://witness.blob.example.net/",
  storageAccountPrimaryKey: "cHJpbWFyeS1rZXktb2YtdGhlLXdpdG5lc3M=",
};
export const CREDENTIALS = {
  clusterBootstrapAccountPassword: "bootstrap-1",
  clusterOperatorAccountPassword: "operator-1",
  sqlServiceAccountPassword: "service-1",
};
export const groupBody = (properties: Record<string, unknown> = {}, more: Record<string, unknown> = {}) => ({
  location: "northeurope",
  properties: {
    sqlImageOffer: "SQL2017-WS2016",
    sqlImageSku: "Enterprise",
    wsfcDomainProfile: PROFILE,
    ...properties,
  },
  ...more,
});
export const machineBody = (
  properties: Record<string, unknown> = {},
  more: Record<string, unknown> = {},
) => ({
  location: "northeurope",
  properties: {
    sqlImageOffer: "SQL2017-WS2016",
    sqlImageSku: "Enterprise",
    sqlServerLicenseType: "PAYG",
    ...properties,
  },
  ...more,
});
export const codeOf = ({ status, body }: Answered) => `${status} ${body.error?.code}`;

/** A machine that asks to be in a group. */
export const memberBody = (place: Place, group = "cluster-1") =>
  machineBody({
    sqlVirtualMachineGroupResourceId: place.id(`sqlVirtualMachineGroups/${group}`),
    wsfcDomainCredentials: CREDENTIALS,
  });
