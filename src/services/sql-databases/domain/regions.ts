/** Paired regions. Secondaries are created in the paired region by default. */
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

/** Undefined for unknown regions. */
export function findPairedRegion(location: string): string | undefined {
  const region = location.toLowerCase().replaceAll(" ", "");
  const pair = PAIRS.find((one) => one.includes(region));
  return pair?.find((one) => one !== region);
}
