/** A resource with everything below it, as backups keep it: secrets opened, because backups are sealed themselves. */
import { BackupSourceError, IN_PLACE, jsonContent, readJson, restoredTags } from "../backups/index.ts";
import type { CatalogEntry } from "../catalog/index.ts";
import type { Context } from "../operation/context.ts";
import type { OwnContext } from "../operation/provided-port.ts";
import { keyOf } from "./identifiers.ts";
import { ensureGroup, isGoingAway, newResource, SETTLED } from "./parents.ts";
import { parentPlaceOf, placeOfId, requireSubscription } from "./place.ts";
import {
  arnOf,
  findById,
  insertResource,
  isNameTaken,
  newEtag,
  removeResource,
  removeSomeBelow,
  saveResource,
} from "./records.ts";
import { type Declared, declarationOf, declaredOf } from "./registry.ts";
import * as store from "./store.ts";
import type { ManagedResource, Properties, Tags } from "./types.ts";

const READ_AT_ONCE = 500;

type SavedResource = Pick<
  ManagedResource,
  "id" | "type" | "location" | "tags" | "envelope" | "properties" | "state" | "link" | "createdAtMs"
> & {
  readonly secrets: Properties;
  /** Which of the secrets were sealed. */
  readonly sealed: readonly string[];
};
/** The resource itself first, then what lies below it, parents before children. */
type SavedTree = { readonly resources: readonly SavedResource[] };

function saved(context: Context, resource: ManagedResource): SavedResource {
  const { id, type, location, tags, envelope, properties, link, operation, createdAtMs } = resource;
  const settled = declarationOf(context, type).type.settledState ?? SETTLED;
  const secrets: Record<string, unknown> = {};
  const sealed: string[] = [];
  for (const [name, value] of Object.entries(resource.secrets)) {
    const opened = typeof value === "string" ? openedOf(context, value) : undefined;
    secrets[name] = opened ?? value;
    if (opened !== undefined) sealed.push(name);
  }
  const state = operation === undefined ? resource.state : settled;
  return { id, type, location, tags, envelope, properties, link, state, createdAtMs, secrets, sealed };
}
function openedOf(context: Context, text: string): string | undefined {
  try {
    return context.secrets.open(text);
  } catch {
    return undefined;
  }
}
async function saveTree(context: Context, id: string): Promise<SavedTree> {
  const resource = await findById(context, id);
  if (!resource || isGoingAway(context, resource))
    throw new BackupSourceError(`There is no resource ${id} any more.`);
  const below: ManagedResource[] = [];
  for (let before: string | undefined; ; before = below.at(-1)?.key) {
    const range = { limit: READ_AT_ONCE, before };
    const some = await store.listBelow(context.db, context.account, resource.key, range);
    below.push(...some);
    if (some.length < READ_AT_ONCE) break;
  }
  // They are listed with the innermost first.
  return { resources: [resource, ...below.reverse()].map((one) => saved(context, one)) };
}

/** What a restore takes over of what was saved, where that is not all: `existing` is written over. */
type Adapt = (
  saved: Pick<ManagedResource, "properties" | "link">,
  existing: ManagedResource | undefined,
  context: Context,
) => Promise<Pick<ManagedResource, "properties" | "link">>;
type Wanted = {
  /** Of the resource itself. */
  readonly name: string;
  readonly tags: Tags;
  readonly isInPlace: boolean;
  readonly adapt?: Adapt | undefined;
};
/** Writes over what is there only where that is wanted. Returns the resource's name in the catalogue. */
async function restoreTree(
  context: Context,
  { resources: [root, ...below] }: SavedTree,
  { name, tags, isInPlace, adapt }: Wanted,
): Promise<string> {
  if (!root) throw new BackupSourceError("The content of the recovery point is empty.");
  const declared = declarationOf(context, root.type);
  const id = `${root.id.slice(0, root.id.lastIndexOf("/"))}/${name}`;
  const existing = await findById(context, id);
  if (existing && !isInPlace)
    throw new BackupSourceError(
      `There is a ${declared.type.title} ${name} already; say inPlace to write over it.`,
    );
  if (existing?.operation !== undefined)
    throw new BackupSourceError(`Another operation is in progress on '${existing.id}'.`);
  await checkPlace(context, declared, id, existing !== undefined, root.location);
  if (existing) while (await removeSomeBelow(context, existing.key));
  const adapted = (await adapt?.(root, existing, context)) ?? {};
  const kept = await write(context, { ...root, tags, ...adapted }, id, { existing, from: root.id, to: id });
  for (const child of below) {
    const own = `${id}${child.id.slice(root.id.length)}`;
    await write(context, child, own, { existing: undefined, from: root.id, to: id });
  }
  return arnOf(context, kept);
}
async function checkPlace(
  context: Context,
  declared: Declared,
  id: string,
  isThere: boolean,
  location: string | undefined,
): Promise<void> {
  const place = placeOfId(declared, id);
  const { type, provider } = declared;
  if (!place || !type.nameRule.pattern.test(place.names.at(-1) ?? ""))
    throw new BackupSourceError(`${id} is no place for a ${type.title}.`);
  await requireSubscription(context, place.subscriptionId, provider.says);
  if (!isThere && type.nameIsGlobal && (await isNameTaken(context, type, place.names.at(-1) ?? "")))
    throw new BackupSourceError(`The name '${place.names.at(-1)}' is already in use.`);
  if (!type.parent) await ensureGroup(context, place, location);
  else if (!(await findById(context, parentPlaceOf(place, declaredOf(type.parent)).id)))
    throw new BackupSourceError(`There is no ${type.parent.title} any more for '${place.names.at(-1)}'.`);
}
type Move = { readonly existing: ManagedResource | undefined; readonly from: string; readonly to: string };
async function write(
  context: Context,
  resource: SavedResource,
  id: string,
  { existing, from, to }: Move,
): Promise<ManagedResource> {
  const declared = declarationOf(context, resource.type);
  const place = placeOfId(declared, id);
  if (!place) throw new BackupSourceError(`${id} is no place for a ${declared.type.title}.`);
  const { location, tags, envelope, properties, state, createdAtMs, sealed } = resource;
  const secrets = Object.fromEntries(
    Object.entries(resource.secrets).map(([name, value]) => [
      name,
      sealed.includes(name) ? context.secrets.seal(String(value)) : value,
    ]),
  );
  const isInside = resource.link?.startsWith(`${keyOf(from)}/`) ?? false;
  const link = isInside ? `${keyOf(to)}${resource.link?.slice(keyOf(from).length)}` : resource.link;
  const wanted = { location, tags, envelope, properties, secrets, link };
  const made = { ...newResource(context, declared, place, wanted), state, createdAtMs };
  const kept = existing
    ? await saveResource(context, { ...existing, ...wanted, state, etag: newEtag(context) }, existing)
    : await insertResource(context, made);
  await declared.type.written?.(kept, existing, context, {});
  return kept;
}

type Entry = Pick<CatalogEntry, "name" | "tags" | "nativeId">;
type Metadata = Readonly<Record<string, string>>;
type Request = {
  readonly metadata: Metadata;
  readonly tags: Tags;
  readonly withoutTags?: boolean;
  done(context: Context, restoredArn: string): Promise<void>;
};
type TreeSpec = {
  readonly resourceType: string;
  /** Of the catalogue. */
  readonly type: string;
  /** What a restore calls the name. */
  readonly nameMember: string;
  readonly adapt?: Adapt;
};
/** What a manager offers to backups of one of its types. */
export const treeSource = (own: OwnContext, { resourceType, type, nameMember, adapt }: TreeSpec) => ({
  resourceType,
  types: [type],
  restoreMetadata: async (_context: Context, { name }: Entry): Promise<Metadata> => ({
    [nameMember]: name,
    [IN_PLACE]: "true",
  }),
  renamed: (_metadata: Metadata, name: string): Metadata => ({ [nameMember]: name, [IN_PLACE]: "false" }),
  async *read(context: Context, { nativeId = "" }: Entry): AsyncGenerator<Uint8Array> {
    yield* jsonContent(await context.transact((inner) => saveTree(own(inner), nativeId)));
  },
  async restore(
    context: Context,
    content: AsyncIterable<Uint8Array>,
    { metadata, done, ...asked }: Request,
  ): Promise<void> {
    const tree = await readJson<SavedTree>(content);
    const [root] = tree.resources;
    await context.transact(async (inner) => {
      const wanted = {
        name: metadata[nameMember] ?? root?.id.split("/").at(-1) ?? "",
        tags: restoredTags(root?.tags ?? {}, asked),
        isInPlace: metadata[IN_PLACE] === "true",
        adapt,
      };
      await done(inner, await restoreTree(own(inner), tree, wanted));
    });
  },
  async remove(context: Context, arn: string): Promise<void> {
    const entry = await own(context).catalog.find(arn);
    const resource = entry?.nativeId && (await findById(own(context), entry.nativeId));
    if (resource) await removeResource(own(context), resource);
  },
});
