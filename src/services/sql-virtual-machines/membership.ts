/** Who belongs to whom: machines of a group, and listeners that count on a machine. */
import type { Context } from "#kernel/operation";
import { keyOf, listChildren, listLinked, type ManagedResource } from "#kernel/resource-provider";
import { machinesOf } from "./domain/listeners.ts";
import type { ListenerProperties } from "./wire.ts";

export const GROUP_TYPE = "Vendor.SqlVirtualMachine/sqlVirtualMachineGroups";
export const MACHINE_TYPE = "Vendor.SqlVirtualMachine/sqlVirtualMachines";
const LISTENER_TYPE = `${GROUP_TYPE}/availabilityGroupListeners`;
const LISTENERS_READ_MAX = 1000;

export const hasMachines = async (context: Context, groupKey: string): Promise<boolean> =>
  (await listLinked(context, MACHINE_TYPE, groupKey, { limit: 1 })).length > 0;

export const listListeners = (
  context: Context,
  groupKey: string,
): Promise<ManagedResource<ListenerProperties>[]> =>
  listChildren<ListenerProperties>(context, LISTENER_TYPE, groupKey, { limit: LISTENERS_READ_MAX });

/** Does a listener of the group count on this machine? Answers its name. */
export async function findListenerOf(
  context: Context,
  groupKey: string,
  machineKey: string,
): Promise<string | undefined> {
  const all = await listListeners(context, groupKey);
  return all.find(({ properties }) => machinesOf(properties, keyOf).includes(machineKey))?.name;
}
