/** ARNs of playlists and curated lists. */
import { arnOf, parseArn } from "#kernel/arn";

export const LIST_TYPES = {
  playlist: "Vendor::Podcasts::Playlist",
  curated: "Vendor::Podcasts::CuratedList",
} as const;
export type ListKind = keyof typeof LIST_TYPES;

export const listArnOf = (account: string, kind: ListKind, id: string): string =>
  arnOf({ service: "podcasts", region: "", account, resource: `${kind}/${id}` });
export function findListIn(arn: string): { readonly kind: ListKind; readonly id: string } | undefined {
  const [kind = "", id] = parseArn(arn)?.resource.split("/") ?? [];
  return id !== undefined && (kind === "playlist" || kind === "curated") ? { kind, id } : undefined;
}
