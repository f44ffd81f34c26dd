/** Playlists and curated lists of earlier releases enter the catalogue. */
import { addEarlierResources } from "#kernel/catalog";
import type { Migration } from "#kernel/operation";

export const catalog: Migration = {
  async up(db) {
    await addEarlierResources(db, {
      service: "podcasts",
      type: "Vendor::Podcasts::Playlist",
      table: "podcasts_playlist",
      resource: "playlist/",
      id: "id",
      columns: ["name", "created_at", "changed_at"],
      createdAt: "created_at",
      updatedAt: "changed_at",
      nameOf: ({ name }) => String(name),
    });
    await addEarlierResources(db, {
      service: "podcasts",
      type: "Vendor::Podcasts::CuratedList",
      table: "podcasts_curated",
      resource: "curated/",
      id: "id",
      columns: ["title", "pub_date_ms"],
      createdAt: "pub_date_ms",
      updatedAt: "pub_date_ms",
      nameOf: ({ title }) => String(title),
    });
  },
};
