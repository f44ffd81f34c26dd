/** Everything that can be backed up: what services offer, folders of the machine, outside resources behind HTTP, and stacks. */
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

/** How clients name what the tree is restored to. */
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

/** What is known of every kind, whoever reads and writes it. */
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
/** Who reads and writes streams of the kind; nobody does of folders and stacks. */
export const findStreamSource = (context: Context, resourceType: string): BackupSource | undefined =>
  streamsOf(context).find((source) => source.resourceType === resourceType);
export const resourceTypesOf = (context: Context): string[] =>
  [...sourcesOf(context).all.map(({ resourceType }) => resourceType), STACK].sort();

/** Where the tree of an outside resource lies; undefined when nobody said. */
export function findPath({ details = {} }: CatalogEntry): string | undefined {
  const { path } = details;
  return typeof path === "string" ? path : undefined;
}
