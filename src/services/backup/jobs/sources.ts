/**
 * Everything that can be backed up: sources of services, folders of the machine, external resources over
 * HTTP, and stacks.
 */
import { IN_PLACE } from "#kernel/backups";
import type { CatalogEntry } from "#kernel/catalog";
import type { Context } from "#kernel/operation";
import { type BackupSource, backupSources } from "#ports/backup-sources";
import { httpSource } from "./http-source.ts";

/** Outside resources whose `details.path` names a file or a folder. */
export const FOLDER_TYPES: readonly string[] = ["Vendor::Files::Folder", "Vendor::Files::File"];
export const FOLDER = "Folder";
/** All resources of one stack, each a child of the backup. */
export const STACK = "Stack";

/** The metadata member that names the target folder of a restore. */
export const RESTORE_PATH = "restorePath";

/** A tree has no stream of bytes: the storage's own threads read and write it. */
const folderNames: Pick<BackupSource, "resourceType" | "types" | "renamed" | "options"> = {
  resourceType: FOLDER,
  types: FOLDER_TYPES,
  options: ["SkipUnreadable"],
  renamed: (metadata, name) => {
    const path = metadata[RESTORE_PATH] ?? "";
    return { [RESTORE_PATH]: `${path.slice(0, path.lastIndexOf("/"))}/${name}`, [IN_PLACE]: "false" };
  },
};

/** Facts about a resource type, independent of its source. */
export type Kind = Pick<BackupSource, "resourceType" | "types" | "renamed" | "options">;
export type Kinds = {
  readonly all: readonly Kind[];
  /** By the catalogue's type. */
  findByType(type: string): Kind | undefined;
  findByResourceType(resourceType: string): Kind | undefined;
};

const streamsOf = (context: Context): readonly BackupSource[] => [...context.port(backupSources), httpSource];
export function sourcesOf(context: Context): Kinds {
  const all: readonly Kind[] = [...streamsOf(context), folderNames];
  return {
    all,
    findByType: (type) => all.find(({ types }) => types.includes(type)),
    findByResourceType: (resourceType) => all.find((kind) => kind.resourceType === resourceType),
  };
}
/** The source that reads and writes streams of this type. Folders and stacks have none. */
export const findStreamSource = (context: Context, resourceType: string): BackupSource | undefined =>
  streamsOf(context).find((source) => source.resourceType === resourceType);
export const resourceTypesOf = (context: Context): string[] =>
  [...sourcesOf(context).all.map(({ resourceType }) => resourceType), STACK].sort();

/** The folder of an external resource, or undefined if none was registered. */
export function findPath({ details = {} }: CatalogEntry): string | undefined {
  const { path } = details;
  return typeof path === "string" ? path : undefined;
}
