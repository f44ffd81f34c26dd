/** API management instances: they come into being with their first diagnostic, and have methods of their own. */
import { resourceType } from "#kernel/resource-provider";
import { type InstanceProperties, instanceAnswer, instanceBody, instancePatch } from "../wire.ts";

const DEFAULT_LOCATION = "westus";

const gatewayUrlOf = (name: string): string => `https://${name.toLowerCase()}.api.localhost`;

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
  wire: { put: instanceBody, patch: instancePatch, answer: instanceAnswer },
  lists: { bySubscription: true },
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
  present: (instance) => ({ ...instance.properties, gatewayUrl: gatewayUrlOf(instance.name) }),
});
