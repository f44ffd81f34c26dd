/** Catalogue entries of lists, and the operations that delete them. */
import type { ResourceKind } from "#kernel/operation";
import { LIST_TYPES } from "./domain/arns.ts";

const deletedBy =
  (operation: string): NonNullable<ResourceKind["delete"]> =>
  ({ nativeId = "" }) => ({ operation, params: { id: nativeId } });
export const resourceKinds: readonly ResourceKind[] = [
  { type: LIST_TYPES.playlist, delete: deletedBy("podcasts.playlists.delete") },
  { type: LIST_TYPES.curated, delete: deletedBy("podcasts.curated.delete") },
];
