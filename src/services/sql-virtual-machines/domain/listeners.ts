/** Validation of availability group listeners: names, ports, addresses and machines. */
import { isIPv4 } from "node:net";
import { commonErrors, listenerErrors as errors } from "../errors.ts";
import { CLUSTER_NAME_LENGTH_MAX, isClusterName } from "./groups.ts";

const PORT_MAX = 65_535;

export type LoadBalancer = {
  readonly privateIpAddress?: { readonly ipAddress?: string; readonly subnetResourceId?: string };
  readonly publicIpAddressResourceId?: string;
  readonly loadBalancerResourceId?: string;
  readonly probePort?: number;
  readonly sqlVirtualMachineInstances?: readonly string[];
};
export type Listener = {
  readonly availabilityGroupName?: string;
  readonly loadBalancerConfigurations?: readonly LoadBalancer[];
  readonly createDefaultAvailabilityGroupIfNotExist?: boolean;
  readonly port?: number;
};
/**
 * Functions on resource IDs. The caller passes them, because this file does not depend on the path format.
 */
export type Identifiers = {
  isIdOfType(id: string, type: "subnet" | "publicIpAddress" | "loadBalancer" | "machine"): boolean;
  subscriptionOf(id: string): string | undefined;
  /** The network of a subnet. */
  networkOf(subnetId: string): string;
  keyOf(id: string): string;
};

export function listenerNameProblem(name: string) {
  if (name.length > CLUSTER_NAME_LENGTH_MAX)
    return errors.nameTooLong(`The name of a listener has at most ${CLUSTER_NAME_LENGTH_MAX} characters.`, {
      target: "availabilityGroupListenerName",
    });
  if (!isClusterName(name))
    return errors.invalidName(
      "The name of a listener has letters, digits and inner hyphens, and is not a mere number.",
      { target: "availabilityGroupListenerName" },
    );
  return undefined;
}

export function checkPort(port: number | undefined, target: string): void {
  if (port === undefined || (port >= 1 && port <= PORT_MAX)) return;
  throw commonErrors.argumentNotInRange(`A port is a number from 1 to ${PORT_MAX}.`, { target });
}

export function checkListener(listener: Listener, ids: Identifiers, subscriptionId: string): void {
  checkPort(listener.port, "properties.port");
  if (listener.availabilityGroupName === undefined && !listener.createDefaultAvailabilityGroupIfNotExist)
    throw errors.availabilityGroupDoesNotExist(
      "Name an availability group, or ask for a default one to be created.",
      { target: "properties.availabilityGroupName" },
    );
  const balancers = listener.loadBalancerConfigurations ?? [];
  for (const [position, balancer] of balancers.entries())
    checkBalancer(balancer, `properties.loadBalancerConfigurations[${position}]`, ids, subscriptionId);
  checkAgreement(balancers, ids);
}

function checkBalancer(
  balancer: LoadBalancer,
  target: string,
  ids: Identifiers,
  subscriptionId: string,
): void {
  const { privateIpAddress, publicIpAddressResourceId, loadBalancerResourceId } = balancer;
  if (!privateIpAddress && publicIpAddressResourceId === undefined)
    throw errors.noIpProvided("A load balancer needs a private or a public address.", { target });
  if (privateIpAddress && publicIpAddressResourceId !== undefined)
    throw errors.moreIpProvided("A load balancer has a private or a public address, not both.", { target });
  if (privateIpAddress) checkPrivateAddress(privateIpAddress, `${target}.privateIpAddress`, ids);
  if (
    publicIpAddressResourceId !== undefined &&
    !ids.isIdOfType(publicIpAddressResourceId, "publicIpAddress")
  )
    throw errors.invalidPublicIpId("This is not the identifier of a public address.", {
      target: `${target}.publicIpAddressResourceId`,
    });
  if (loadBalancerResourceId !== undefined && !ids.isIdOfType(loadBalancerResourceId, "loadBalancer"))
    throw errors.invalidLoadBalancerId("This is not the identifier of a load balancer.", {
      target: `${target}.loadBalancerResourceId`,
    });
  checkPort(balancer.probePort, `${target}.probePort`);
  checkMachines(balancer.sqlVirtualMachineInstances ?? [], target, ids, subscriptionId);
}
function checkPrivateAddress(
  { ipAddress, subnetResourceId }: NonNullable<LoadBalancer["privateIpAddress"]>,
  target: string,
  ids: Identifiers,
): void {
  if (ipAddress === undefined || !isIPv4(ipAddress))
    throw errors.invalidPrivateIp(`'${ipAddress ?? ""}' is not an IPv4 address.`, {
      target: `${target}.ipAddress`,
    });
  if (subnetResourceId === undefined)
    throw errors.subnetMissing("A private address needs the subnet that it lies in.", { target });
  if (!ids.isIdOfType(subnetResourceId, "subnet"))
    throw errors.invalidSubnetId("This is not the identifier of a subnet.", {
      target: `${target}.subnetResourceId`,
    });
}
function checkMachines(
  machines: readonly string[],
  target: string,
  ids: Identifiers,
  subscriptionId: string,
): void {
  const inList = { target: `${target}.sqlVirtualMachineInstances` };
  if (machines.length === 0)
    throw errors.machineListEmpty("Name the machines behind the load balancer.", inList);
  for (const id of machines) {
    if (!ids.isIdOfType(id, "machine"))
      throw errors.invalidMachineId(
        `'${id.slice(0, 200)}' is not the identifier of a SQL virtual machine.`,
        inList,
      );
    if (ids.subscriptionOf(id)?.toLowerCase() !== subscriptionId.toLowerCase())
      throw errors.machinesOfOtherSubscription(
        "All machines must be in the listener's subscription.",
        inList,
      );
  }
}
/** All load balancers of a listener must serve the same machines, with private addresses in one network. */
function checkAgreement(balancers: readonly LoadBalancer[], ids: Identifiers): void {
  const lists = balancers.map(({ sqlVirtualMachineInstances = [] }) =>
    sqlVirtualMachineInstances.map(ids.keyOf).sort().join("\n"),
  );
  if (new Set(lists).size > 1)
    throw errors.machineListsDiffer("All load balancers of a listener must name the same machines.");
  const networks = balancers.flatMap(({ privateIpAddress }) =>
    privateIpAddress?.subnetResourceId === undefined ? [] : ids.networkOf(privateIpAddress.subnetResourceId),
  );
  if (new Set(networks).size > 1)
    throw errors.networkMismatch("The private addresses of a listener must lie in one virtual network.");
}

export function checkListenerChange(before: Listener, wanted: Listener): void {
  const was = before.availabilityGroupName?.toLowerCase();
  const will = wanted.availabilityGroupName?.toLowerCase();
  if (will === undefined || was === will) return;
  throw errors.updateNotAllowed("A listener stays with its availability group.", {
    target: "properties.availabilityGroupName",
  });
}
/** Keys of the machines behind a listener. */
export const machinesOf = (listener: Listener, keyOf: (id: string) => string): readonly string[] => [
  ...new Set(
    (listener.loadBalancerConfigurations ?? []).flatMap(({ sqlVirtualMachineInstances = [] }) =>
      sqlVirtualMachineInstances.map(keyOf),
    ),
  ),
];
