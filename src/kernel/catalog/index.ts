/** Live resources of all services. */
export { Catalog, type CatalogEntry, catalogEntryOf, everyRegion, type Resource } from "./catalog.ts";
