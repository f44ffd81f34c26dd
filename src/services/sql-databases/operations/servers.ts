/** Logical servers: they come into being with their first database, and have methods of their own. */
import { resourceType } from "#kernel/resource-provider";
import { type ServerProperties, server, serverBody, serverPatch } from "../wire.ts";

const DEFAULT_LOCATION = "westus";

export const servers = resourceType<ServerProperties>({
  name: "servers",
  title: "server",
  parameter: "serverName",
  idWords: "servers",
  nameRule: {
    pattern: /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i,
    says: "it has 1 to 63 letters, digits and hyphens, and no hyphen at either end",
  },
  catalogType: "Server",
  wire: { put: serverBody, patch: serverPatch, answer: server },
  lists: { bySubscription: true },
  implied: () => ({ location: DEFAULT_LOCATION, properties: { version: "12.0" } }),
  prepare({ properties, ...wanted }, { existing }) {
    const { administratorLoginPassword, ...shown } = { ...existing?.properties, ...properties };
    return {
      ...wanted,
      properties: { version: "12.0", ...shown },
      secrets:
        administratorLoginPassword === undefined ? (existing?.secrets ?? {}) : { administratorLoginPassword },
    };
  },
  present: ({ name, properties }) => ({
    version: "12.0",
    ...properties,
    state: "Ready",
    fullyQualifiedDomainName: `${name.toLowerCase()}.database.localhost`,
  }),
  presentWhole: (body) => ({ ...body, kind: "v12.0" }),
});
