/** Entity tags and the conditions that requests put on them. */
import { type TObject, Type } from "@sinclair/typebox";
import type { Context } from "../operation/context.ts";
import { kernelErrors } from "../operation/errors.ts";
import type { Method } from "../operation/operation.ts";
import { demanded } from "../shape/index.ts";
import { managementErrors } from "./errors.ts";
import type { ManagedResource, ResourceType } from "./types.ts";

function headerOf(context: Context, name: string): string | undefined {
  const value = context.request.headers[name];
  return Array.isArray(value) ? value.join(",") : value;
}
/** Weak and strong tags count as one; callers may leave the quotes away. */
const bare = (tag: string): string =>
  tag
    .trim()
    .replace(/^W\//i, "")
    .replace(/^"(.*)"$/, "$1");
const names = (list: string, etag: string): boolean =>
  list.split(",").some((one) => bare(one) === "*" || bare(one) === bare(etag));

const isNeeded = ({ etag }: ResourceType, method: string): boolean =>
  etag?.neededBy.some((needed) => needed === method) ?? false;

const WRITING: readonly Method[] = ["PUT", "PATCH", "DELETE"];
const matching = Type.String({
  description: "The entity tag that the resource must have; `*` stands for any.",
  examples: ["*"],
});
const noneMatching = Type.String({
  description: "With `*`, nothing is written if the resource exists.",
  examples: ["*"],
});
/**
 * The conditions that a method takes. A missing condition is refused by `checkConditions`, after an unknown
 * subscription, so it is demanded and not required.
 */
export function conditionHeadersOf(type: ResourceType, method: Method): { readonly headers?: TObject } {
  if (!type.etag || !WRITING.includes(method)) return {};
  const match = isNeeded(type, method) ? demanded(matching) : Type.Optional(matching);
  const both = { "if-match": match, "if-none-match": Type.Optional(noneMatching) };
  return { headers: Type.Object(method === "PUT" ? both : { "if-match": match }) };
}

export function checkConditions(
  context: Context,
  type: ResourceType,
  existing: ManagedResource | undefined,
): void {
  if (!type.etag) return;
  const { method } = context.request;
  const match = headerOf(context, "if-match");
  if (match === undefined && isNeeded(type, method))
    throw kernelErrors.invalidInput("The header If-Match is required.", { target: "If-Match" });
  if (match !== undefined && existing !== undefined && !names(match, existing.etag))
    throw managementErrors.preconditionFailed(
      "The resource has changed: its entity tag is not the one in If-Match.",
      { target: "If-Match" },
    );
  if (match !== undefined && match.trim() !== "*" && existing === undefined && method === "PUT")
    throw managementErrors.preconditionFailed("There is no resource to match If-Match.", {
      target: "If-Match",
    });
  const noneMatch = headerOf(context, "if-none-match");
  if (noneMatch !== undefined && existing !== undefined && names(noneMatch, existing.etag))
    throw managementErrors.preconditionFailed("The resource exists with the entity tag in If-None-Match.", {
      target: "If-None-Match",
    });
}

export const etagHeader = (type: ResourceType, resource: ManagedResource): Record<string, string> =>
  type.etag ? { ETag: resource.etag } : {};
