/** The `$filter` of lists of resources and of resource groups. */
import { Type } from "@sinclair/typebox";
import { compileFilter, FilterError, parseFilter } from "#kernel/odata";
import { kernelErrors } from "#kernel/operation";
import type { ManagedResource } from "#kernel/resource-provider";

export const filterMembers = { $filter: Type.Optional(Type.String({ maxLength: 4096 })) };

const FILTER_FIELDS = {
  name: { type: "string", ignoreCase: true },
  resourceType: { type: "string", ignoreCase: true, path: ["type"] },
  resourceGroup: { type: "string", ignoreCase: true },
  location: { type: "string", ignoreCase: true },
} as const;
const TAG_FILTER = /^\s*tagName\s+eq\s+'((?:[^']|'')*)'(?:\s+and\s+tagValue\s+eq\s+'((?:[^']|'')*)')?\s*$/i;

/** `tagName eq 'a' and tagValue eq 'b'` stands alone, as the public interface has it; anything else compares members. */
export function selectionOf(
  filter: string | undefined,
): ((resource: ManagedResource) => boolean) | undefined {
  if (filter === undefined || filter.trim() === "") return undefined;
  const [, tagName, tagValue] = (TAG_FILTER.exec(filter) ?? []).map((text) => text?.replaceAll("''", "'"));
  if (tagName !== undefined)
    return ({ tags: given }) =>
      Object.entries(given).some(
        ([name, value]) =>
          name.toLowerCase() === tagName.toLowerCase() && (tagValue === undefined || value === tagValue),
      );
  try {
    const neutral = filter.replace(/(?<![a-z0-9])microsoft\./gi, "Vendor.");
    const matches = compileFilter(parseFilter(neutral), FILTER_FIELDS);
    return (resource) => matches(resource);
  } catch (error) {
    if (error instanceof FilterError)
      throw kernelErrors.invalidInput(`The $filter is not valid: ${error.message}`, { target: "$filter" });
    throw error;
  }
}
