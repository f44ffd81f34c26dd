/** Revisions of an API: copies at separate paths, until a release makes one current. */
import { Type } from "@sinclair/typebox";
import { isoOf } from "#kernel/clock";
import type { Context } from "#kernel/operation";
import {
  type Action,
  changeResource,
  findById,
  insertResource,
  keyOf,
  listBelow,
  listChildren,
  type ManagedResource,
  moveResources,
  newEtag,
  type Preparation,
} from "#kernel/resource-provider";
import { isRevisionNumber, revisionName, revisionOf, segmentsOf } from "../domain/index.ts";
import type { ApiProperties } from "../wire/apis.ts";
import { revisionList } from "../wire/revisions.ts";
import { fullTypeBelow, gatewayChanged, invalid } from "./child.ts";

export const APIS_MAX = 500;
export const API_TYPE = fullTypeBelow("instance", "apis");
const BELOW_AT_ONCE = 500;
const RELEASES = "/releases/";

export type Api = ManagedResource<ApiProperties>;

/** The current revision is stored under the plain name. */
export async function storedName(name: string, instanceKey: string, context: Context): Promise<string> {
  const { base, revision } = revisionOf(name);
  if (revision === undefined) return name;
  const current = await findById<ApiProperties>(context, `${instanceKey}/apis/${base}`);
  if (!current) return revision === "1" ? base : name;
  return current.properties.apiRevision === revision ? base : name;
}
/** Finds an API by its full ID or by the part after the instance. */
export async function findNamedApi(
  context: Context,
  instanceKey: string,
  id: string,
): Promise<Api | undefined> {
  const segments = segmentsOf(id);
  const word = segments.findLastIndex((segment) => segment.toLowerCase() === "apis");
  const name = segments[word + 1];
  if (word < 0 || name === undefined || segments.length !== word + 2) return undefined;
  return findById<ApiProperties>(
    context,
    `${instanceKey}/apis/${await storedName(name, instanceKey, context)}`,
  );
}
/** All revisions except the current one. */
export async function otherRevisions(
  context: Context,
  { name, parentKey }: Pick<ManagedResource, "name" | "parentKey">,
): Promise<Api[]> {
  const own = name.toLowerCase();
  const all = await listChildren<ApiProperties>(context, API_TYPE, parentKey, { limit: APIS_MAX });
  return all.filter((api) => {
    const { base, revision } = revisionOf(api.name);
    return revision !== undefined && base.toLowerCase() === own;
  });
}

/** Determines the revision of a write, and validates its revision members. */
export async function revisionFor(
  given: Partial<ApiProperties>,
  { place, existing }: Pick<Preparation<ApiProperties>, "place" | "existing">,
  context: Context,
): Promise<{ readonly current: Api | undefined; readonly apiRevision: string }> {
  const { base, revision } = revisionOf(place.names.at(-1) ?? "");
  const current =
    revision === undefined
      ? undefined
      : await findById<ApiProperties>(context, `${place.parentKey}/apis/${base}`);
  if (revision !== undefined && !current)
    throw invalid(`There is no API '${base}' that could have another revision.`, "apiId");
  const known = revision ?? existing?.properties.apiRevision;
  const apiRevision = given.apiRevision ?? known ?? "1";
  if (known !== undefined ? apiRevision !== known : !isRevisionNumber(apiRevision))
    throw invalid(
      known === undefined ? "apiRevision must be a number from 1 to 9999." : `This is the revision ${known}.`,
      "properties.apiRevision",
    );
  if (given.isCurrent !== undefined && given.isCurrent !== (revision === undefined))
    throw invalid("A release makes a revision the current one.", "properties.isCurrent");
  if (current && given.path !== undefined && samePath(given.path) !== samePath(current.properties.path))
    throw invalid(`All revisions answer at '${current.properties.path}'.`, "properties.path");
  return { current, apiRevision };
}
const samePath = (path: string): string => segmentsOf(path).join("/").toLowerCase();

async function belowOf(context: Context, key: string): Promise<readonly ManagedResource[]> {
  const all: ManagedResource[] = [];
  for (let before: string | undefined; ; before = all.at(-1)?.key) {
    const some = await listBelow(context, key, { limit: BELOW_AT_ONCE, before });
    all.push(...some);
    if (some.length < BELOW_AT_ONCE) return all.filter((one) => !one.key.startsWith(`${key}${RELEASES}`));
  }
}
/** ID of a child resource after it moves below another API. */
function idBelow(child: ManagedResource, from: ManagedResource, toId: string): string {
  const depth = child.key.slice(from.key.length).split("/").length - 1;
  return `${toId}/${child.id.split("/").slice(-depth).join("/")}`;
}
export async function copyBelow(context: Context, from: Api, to: ManagedResource): Promise<void> {
  for (const child of await belowOf(context, from.key)) {
    const id = idBelow(child, from, to.id);
    const parentKey = keyOf(id.split("/").slice(0, -2).join("/"));
    await insertResource(context, { ...child, id, key: keyOf(id), parentKey, etag: newEtag(context) });
  }
}
/** Swaps the current revision with another, including all child resources. */
export async function makeCurrent(context: Context, current: Api, next: Api): Promise<void> {
  const oldId = `${current.id.slice(0, current.id.lastIndexOf("/"))}/${revisionName(current.name, current.properties.apiRevision)}`;
  const own = await belowOf(context, current.key);
  const others = await belowOf(context, next.key);
  await moveResources(context, [
    ...own.map((child) => [child, idBelow(child, current, oldId)] as const),
    ...others.map((child) => [child, idBelow(child, next, current.id)] as const),
    [{ ...next, properties: { ...current.properties, isCurrent: false } }, oldId],
  ]);
  await changeResource(context, current, { properties: { ...next.properties, isCurrent: true } });
  await gatewayChanged(current, context);
}

export const listRevisions: Action<ApiProperties> = {
  name: "revisions",
  idWords: "list-revisions",
  summary: "Lists the revisions of an API, the newest first.",
  description:
    "`privateUrl` is the path at which a revision can be called before its release. Release it with `api-diagnostics.api-releases.put`.",
  method: "GET",
  permission: "revisions/read",
  query: Type.Object({
    $top: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, description: "How many at most.", examples: [10] }),
    ),
    $skip: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1_000_000, description: "How many to leave out.", examples: [0] }),
    ),
  }),
  answers: { 200: revisionList },
  exclusive: false,
  async handle({ resource, query: { $top, $skip = 0 } }, context) {
    const { base, revision } = revisionOf(resource.name);
    const current =
      revision === undefined
        ? resource
        : await findById<ApiProperties>(context, `${resource.parentKey}/apis/${base}`);
    const own = { name: base, parentKey: resource.parentKey };
    const all = [...(current ? [current] : []), ...(await otherRevisions(context, own))];
    const shown = all.map((api) => {
      const { apiRevision, apiRevisionDescription, path } = api.properties;
      return {
        apiId: `/apis/${revisionName(base, apiRevision)}`,
        apiRevision,
        createdDateTime: isoOf(api.createdAtMs),
        updatedDateTime: isoOf(api.updatedAtMs),
        ...(apiRevisionDescription !== undefined && { description: apiRevisionDescription }),
        privateUrl: `/${revisionName(path, apiRevision)}`,
        isOnline: true,
        isCurrent: api === current,
      };
    });
    shown.sort((one, other) => Number(other.apiRevision) - Number(one.apiRevision));
    return { value: shown.slice($skip, $top === undefined ? undefined : $skip + $top) };
  },
};
