/** Vendor names in stores, and the vendor's spelling of a store's endpoint. */
import type { Dialect } from "#kernel/dialects";
import { managementDialect } from "#kernel/resource-provider";

/** Namespaces of private endpoints and keys. */
export const makersDialect = managementDialect({ namespaces: ["Vendor.KeyVault", "Vendor.Network"] });

const HEADERS: Readonly<Record<string, string>> = {
  "x-ms-date": "x-vendor-date",
  "x-ms-content-sha256": "x-vendor-content-sha256",
  "x-ms-client-request-id": "x-vendor-client-request-id",
};
const OUR_PROBLEMS = "https://vendor.example/configuration/errors/";
const MAKERS_PROBLEMS = "https://azconfig.io/errors/";

/**
 * Maps header names, media types and problem types. Keys, values and tags are user data and must never be
 * changed, so no generic table is used.
 */
export const storeDialect: Dialect = {
  name: "microsoft",
  detect: ({ headers }) => Object.keys(HEADERS).some((name) => headers[name] !== undefined),
  detectBody: () => false,
  neutralPath: (path) => path,
  neutralQuery: (query) => query,
  neutralBody: (_operation, body) => body,
  neutralHeaders(headers) {
    const result = { ...headers };
    for (const [makers, neutral] of Object.entries(HEADERS))
      if (headers[makers] !== undefined) result[neutral] = headers[makers];
    return result;
  },
  makersBody(_operation, status, body) {
    const problem = body as { type?: unknown } | undefined;
    if (status < 400 || typeof problem?.type !== "string") return body;
    return { ...problem, type: problem.type.replace(OUR_PROBLEMS, MAKERS_PROBLEMS) };
  },
  makersHeaders(headers) {
    const { "x-vendor-request-id": requestId, "content-type": type, ...rest } = headers;
    return {
      ...rest,
      ...(requestId !== undefined && { "x-ms-request-id": requestId }),
      ...(typeof type === "string" && { "content-type": type.replace("vnd.vendor.", "vnd.microsoft.") }),
    };
  },
};
