/** Regions come in pairs: each is where the other's databases have their secondaries unless told otherwise. */
const PAIRS: readonly (readonly [string, string])[] = [
  ["eastus", "westus"],
  ["eastus2", "centralus"],
  ["northcentralus", "southcentralus"],
  ["westus2", "westcentralus"],
  ["canadacentral", "canadaeast"],
  ["northeurope", "westeurope"],
  ["uksouth", "ukwest"],
  ["francecentral", "francesouth"],
  ["germanywestcentral", "germanynorth"],
  ["switzerlandnorth", "switzerlandwest"],
  ["norwayeast", "norwaywest"],
  ["eastasia", "southeastasia"],
  ["japaneast", "japanwest"],
  ["koreacentral", "koreasouth"],
  ["centralindia", "southindia"],
  ["australiaeast", "australiasoutheast"],
  ["southafricanorth", "southafricawest"],
  ["uaenorth", "uaecentral"],
];

/** Undefined for regions that nobody knows. */
export function findPairedRegion(location: string): string | undefined {
  const region = location.toLowerCase().replaceAll(" ", "");
  const pair = PAIRS.find((one) => one.includes(region));
  return pair?.find((one) => one !== region);
}
