/** Where all resource managers answer, and how they speak there. */
import type { Service } from "../operation/service.ts";
import { managementDialect } from "./dialect.ts";
import { protocolOf } from "./protocol.ts";

export const atManagementMount = (namespace: string, apiVersions: readonly string[]) =>
  ({
    mount: "/management",
    /** The same below the root of the host, for clients that keep no prefix. */
    rootPaths: ["/subscriptions", "/providers"],
    protocol: protocolOf(namespace, apiVersions),
    dialects: [managementDialect({ namespaces: [namespace] })],
  }) satisfies Partial<Service>;
