/** The two filter syntaxes for lists of operations. */
import { errors } from "../errors.ts";
import type { Place } from "./names.ts";

export type OperationFilter = {
  readonly project: string;
  readonly location: string | undefined;
  readonly functionId: string | undefined;
};
const KNOWN = new Set(["project", "location", "function", "latest"]);

/** `project:*,location:*,function:*` or `project:*,latest:true`. Anything else is not implemented, as published. */
export function readOperationFilter(text: string | undefined, place: Place): OperationFilter {
  if (text === undefined || text.trim() === "")
    return { project: place.project, location: place.location, functionId: undefined };
  const parts = partsOf(text);
  const { project } = place;
  if (parts.has("project") && parts.get("project") !== "*" && parts.get("project") !== project)
    throw errors.invalidArgument("The filter names another project than the address.");
  const latest = parts.get("latest");
  if (latest !== undefined) {
    if (latest !== "true" || parts.has("function") || parts.has("location")) throw unknown(text);
    return { project, location: undefined, functionId: undefined };
  }
  const location = parts.get("location");
  const functionId = parts.get("function");
  if (!parts.has("project") || location === undefined || functionId === undefined) throw unknown(text);
  return {
    project,
    location: location === "*" ? undefined : location,
    functionId: functionId === "*" ? undefined : functionId,
  };
}
function partsOf(text: string): Map<string, string> {
  const parts = new Map<string, string>();
  for (const part of text.split(",")) {
    const colon = part.indexOf(":");
    const name = part.slice(0, colon).trim();
    if (colon < 0 || !KNOWN.has(name) || parts.has(name)) throw unknown(text);
    parts.set(name, part.slice(colon + 1).trim());
  }
  return parts;
}
const unknown = (text: string) =>
  errors.unimplemented(
    `The filter "${text.slice(0, 100)}" is neither project:*,location:*,function:* nor project:*,latest:true.`,
  );
