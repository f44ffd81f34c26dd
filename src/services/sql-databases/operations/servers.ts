/** Logical servers. The first database creates its server implicitly. */
import { type Place, resourceType } from "#kernel/resource-provider";
import { errors } from "../errors.ts";
import { removeDroppedOf } from "../store.ts";
import { type ServerProperties, server, serverBody, serverPatch } from "../wire.ts";

const NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
const NAME_SAYS = "it has 1 to 63 letters, digits and hyphens, and no hyphen at either end";
const serverNameProblem = (name: string) =>
  NAME.test(name)
    ? undefined
    : errors.invalidServerName(`'${name.slice(0, 100)}' is not a server's name: ${NAME_SAYS}.`, {
        target: "serverName",
      });

/** Error for a missing parent server. */
export const missingServer = ({ resourceGroup, names: [name] }: Pick<Place, "resourceGroup" | "names">) =>
  errors.serverNotFound(`There is no server '${name}' in the resource group '${resourceGroup}'.`);

export const servers = resourceType<ServerProperties>({
  name: "servers",
  title: "server",
  parameter: "serverName",
  idWords: "servers",
  nameRule: { pattern: NAME, says: NAME_SAYS, example: "shop-server", problem: serverNameProblem },
  catalogType: "Server",
  descriptions: {
    get: "Servers are records only: no SQL server listens at `fullyQualifiedDomainName`.",
    put: "Takes effect immediately. A database of a server that does not exist creates the server, unless `--strict-parents` is set.",
    delete: "Also deletes the records of dropped databases, so none can be restored afterwards.",
  },
  wire: { put: serverBody, patch: serverPatch, answer: server },
  lists: { bySubscription: true },
  errors: [errors.invalidServerName],
  implied: () => ({ properties: { version: "12.0" } }),
  prepare({ properties, ...wanted }, { existing }) {
    return { ...wanted, properties: { version: "12.0", ...existing?.properties, ...properties } };
  },
  /** Dropped databases are deleted with their server. */
  removed: ({ key }, { db, account }) => removeDroppedOf(db, account, key),
  present: ({ name, properties }) => ({
    version: "12.0",
    ...properties,
    state: "Ready",
    fullyQualifiedDomainName: `${name.toLowerCase()}.database.localhost`,
  }),
  presentWhole: (body) => ({ ...body, kind: "v12.0" }),
});
