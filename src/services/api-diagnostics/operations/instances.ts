/** API management instances. The first diagnostic creates its instance implicitly. */
import { createHash } from "node:crypto";
import type { Context } from "#kernel/operation";
import { listNamed, type ManagedResource, resourceType } from "#kernel/resource-provider";
import { deleteVersion } from "../store.ts";
import { type InstanceProperties, instanceAnswer, instanceBody, instancePatch } from "../wire/instances.ts";
import { gatewayChanged } from "./child.ts";
import { showTraffic } from "./traffic.ts";

const DEFAULT_LOCATION = "westus";
const SAME_NAMED_MAX = 100;
const MARK_LENGTH = 8;

export type OwnedInstance = { readonly account: string; readonly resource: ManagedResource };
type Named = Pick<ManagedResource, "name" | "key">;
const markOf = ({ account, resource }: { account: string; resource: Named }): string =>
  createHash("sha256").update(`${account} ${resource.key}`).digest("hex").slice(0, MARK_LENGTH);
/**
 * Instance names are unique only within an account. The oldest instance gets the plain name as its address,
 * later ones get a suffix. So does one whose name is the address of an older instance.
 */
export async function addressOf(instance: Named, context: Context): Promise<string> {
  const name = instance.name.toLowerCase();
  const served = await findInstance(context, name);
  const isServed = !served || (served.account === context.account && served.resource.key === instance.key);
  return isServed ? name : `${name}-${markOf({ account: context.account, resource: instance })}`;
}
const MARKED = new RegExp(`^(.+)-([0-9a-f]{${MARK_LENGTH}})$`);
/** Finds an instance by its gateway address. Nobody can take over an address by choosing a name. */
export async function findInstance(context: Context, address: string): Promise<OwnedInstance | undefined> {
  const [named] = await listNamed(context, instances, address, 1);
  const [, name, mark] = MARKED.exec(address) ?? [];
  if (name === undefined) return named;
  const marked = (await listNamed(context, instances, name, SAME_NAMED_MAX)).find(
    (one) => markOf(one) === mark,
  );
  if (!named || !marked) return named ?? marked;
  return named.resource.createdAtMs < marked.resource.createdAtMs ? named : marked;
}
/** Origin of the request's URL. */
export const originOf = ({ request }: Context): string =>
  URL.canParse(request.mountUrl) ? new URL(request.mountUrl).origin : "";

export const instances = resourceType<InstanceProperties>({
  name: "service",
  title: "API management instance",
  parameter: "serviceName",
  idWords: "instances",
  nameRule: {
    pattern: /^[a-zA-Z](?:[a-zA-Z0-9-]{0,48}[a-zA-Z0-9])?$/,
    says: "it begins with a letter, has at most 50 letters, digits and hyphens, and does not end in a hyphen",
    example: "shop-api",
  },
  catalogType: "Service",
  descriptions: {
    get: "`gatewayUrl` is the address for callers of its APIs.",
    put: "Creates a gateway at `/gateway/{name}`. If another account has an instance of that name, the address gets a suffix; see `gatewayUrl`. A child of a missing instance creates it, unless `--strict-parents` is set. Next, add an API with `api-diagnostics.apis.put`.",
    delete: "Calls to its gateway get 404 afterwards.",
  },
  wire: { put: instanceBody, patch: instancePatch, answer: instanceAnswer },
  lists: { bySubscription: true },
  actions: [showTraffic],
  work: {
    create: { states: ["Created", "Activating"] },
    update: { states: ["Updating"] },
    delete: { states: ["Terminating"] },
  },
  implied: () => ({
    location: DEFAULT_LOCATION,
    envelope: { sku: { name: "Developer", capacity: 1 } },
    properties: { publisherEmail: "admin@example.org", publisherName: "Example" },
  }),
  written: (instance, _previous, context) => gatewayChanged(instance, context),
  removed: (instance, { db, account }) => deleteVersion(db, account, instance.key),
  present: async (instance, context) => ({
    ...instance.properties,
    gatewayUrl: `${originOf(context)}/gateway/${await addressOf(instance, context)}`,
  }),
});
