/** Relations: machines of a group, and listeners that use a machine. */
import type { Context } from "#kernel/operation";
import {
  changeResource,
  eachChild,
  keyOf,
  listLinked,
  type ManagedResource,
} from "#kernel/resource-provider";
import { machinesOf } from "../domain/listeners.ts";
import { commonErrors } from "../errors.ts";
import type { ListenerProperties, MachineProperties } from "../wire.ts";

export const GROUP_TYPE = "Vendor.SqlVirtualMachine/sqlVirtualMachineGroups";
export const MACHINE_TYPE = "Vendor.SqlVirtualMachine/sqlVirtualMachines";
const LISTENER_TYPE = `${GROUP_TYPE}/availabilityGroupListeners`;
const READ_AT_ONCE = 100;

export const groupBusy = (name: string) =>
  commonErrors.operationInProgress(`Another operation is in progress on the group '${name}'.`);

export const hasMachines = async (context: Context, groupKey: string): Promise<boolean> =>
  (await listLinked(context, MACHINE_TYPE, groupKey, { limit: 1 })).length > 0;

/** If a resource group is deleted, machines of other resource groups leave the deleted group. */
export async function releaseMachines(context: Context, groupKey: string): Promise<void> {
  for (;;) {
    const range = { limit: READ_AT_ONCE };
    const machines = await listLinked<MachineProperties>(context, MACHINE_TYPE, groupKey, range);
    for (const machine of machines) {
      const { sqlVirtualMachineGroupResourceId: _left, ...properties } = machine.properties;
      await changeResource(context, machine, { properties, link: undefined });
    }
    if (machines.length < READ_AT_ONCE) return;
  }
}

export async function listListeners(
  context: Context,
  groupKey: string,
): Promise<ManagedResource<ListenerProperties>[]> {
  const all: ManagedResource<ListenerProperties>[] = [];
  for await (const listener of eachChild<ListenerProperties>(context, LISTENER_TYPE, groupKey))
    all.push(listener);
  return all;
}

/** Name of a listener of the group that uses this machine. Undefined if there is none. */
export async function findListenerOf(
  context: Context,
  groupKey: string,
  machineKey: string,
): Promise<string | undefined> {
  const all = await listListeners(context, groupKey);
  return all.find(({ properties }) => machinesOf(properties, keyOf).includes(machineKey))?.name;
}
