/** Live resources of all services. */
export { addEarlierResources } from "./add-earlier.ts";
export { Catalog } from "./catalog.ts";
export { ANY_REGION, type ResourceChange, type WatchedRegion } from "./changes.ts";
export { type CatalogEntry, catalogEntryOf, EVERY_REGION, type Resource } from "./entry.ts";
export type { SelectedPage, SelectedResource } from "./pages.ts";
export { isSelected, type Selection, type TagFilter } from "./selection.ts";
