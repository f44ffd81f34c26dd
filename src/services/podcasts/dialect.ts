/** Spelling of the maker's API, as a table. */
import { defineDialect } from "#kernel/dialects";

export const makersDialect = defineDialect({
  name: "makers",
  headers: { "x-listenapi-key": "x-vendor-api-key" },
  answerHeaders: {
    "x-vendor-api-usage": "X-ListenAPI-Usage",
    "x-vendor-api-freequota": "X-ListenAPI-FreeQuota",
    "x-vendor-api-nextbillingdate": "X-ListenAPI-NextBillingDate",
    "x-vendor-api-latency-seconds": "X-ListenAPI-Latency-Seconds",
  },
  fields: {
    listennotes_url: "vendor_url",
    listennotes_edit_url: "vendor_edit_url",
    itunes_id: "storeone_id",
    itunes_ids: "storeone_ids",
    spotify_ids: "storetwo_ids",
  },
  values: { listennotes_id: "vendor_id", itunes_id: "storeone_id", spotify_id: "storetwo_id" },
  valuesOf: ["podcast_id_type"],
  // Free text from feeds and users is not respelled.
  verbatim: ["q", "terms", "description", "title", "publisher", "transcript", "notes", "name"],
});
