/** Releases, which make a revision current, and the schemas of operations. */
import { isoOf } from "#kernel/clock";
import { findById, resourceType } from "#kernel/resource-provider";
import { revisionOf } from "../domain/index.ts";
import { errors } from "../errors.ts";
import type { ApiProperties } from "../wire/apis.ts";
import {
  type ReleaseProperties,
  releaseAnswer,
  releaseBody,
  releaseFilter,
  releasePatch,
  type SchemaProperties,
  schemaAnswer,
  schemaBody,
  schemaFilter,
} from "../wire/revisions.ts";
import { SCHEMA_TYPE, SCHEMAS_MAX } from "./api-documents.ts";
import { apis } from "./apis.ts";
import { childFurniture, fullTypeBelow, instanceKeyOf, invalid, listsBy, requireRoom } from "./child.ts";
import { findNamedApi, makeCurrent } from "./revisions.ts";

const RELEASES_MAX = 100;
const TYPE = fullTypeBelow("api", "releases");

export const releases = resourceType<ReleaseProperties>({
  ...childFurniture("spring"),
  name: "releases",
  title: "release of an API",
  parent: apis,
  parameter: "releaseId",
  idWords: "api-releases",
  descriptions: {
    put: `Makes the revision in \`apiId\` the current one: it swaps places with the earlier current revision, including operations, policies and diagnostics. The earlier one stays callable as a revision. At most ${RELEASES_MAX} releases of an API.`,
    patch: "A different `apiId` releases that revision; other members change only the notes.",
    delete: "Deletes only the record; the current revision stays.",
  },
  wire: { put: releaseBody, patch: releasePatch, answer: releaseAnswer },
  lists: listsBy(releaseFilter),
  errors: [errors.validation],
  async prepare(wanted, about, context) {
    await requireRoom(context, about, { type: TYPE, max: RELEASES_MAX, things: "releases" });
    const { place } = about;
    const { base, revision } = revisionOf(place.names.at(-2) ?? "");
    if (revision !== undefined) throw invalid(`Releases belong to the API '${base}'.`, "apiId");
    const named = await findNamedApi(context, instanceKeyOf(place.key), wanted.properties.apiId);
    if (!named || revisionOf(named.name).base.toLowerCase() !== base.toLowerCase())
      throw invalid(`apiId must name a revision of the API '${base}'.`, "properties.apiId");
    return wanted;
  },
  async written(release, previous, context, body) {
    const current = await findById<ApiProperties>(context, release.parentKey);
    const { apiId } = (body.properties ?? {}) as Partial<ReleaseProperties>;
    const isNew = apiId !== undefined && previous?.properties.apiId !== apiId;
    const next = isNew ? await findNamedApi(context, instanceKeyOf(release.key), apiId) : undefined;
    if (current && next && next.key !== current.key) await makeCurrent(context, current, next);
  },
  present: ({ properties, createdAtMs, updatedAtMs }) => ({
    ...properties,
    createdDateTime: isoOf(createdAtMs),
    updatedDateTime: isoOf(updatedAtMs),
  }),
});

export const schemas = resourceType<SchemaProperties>({
  ...childFurniture("imported"),
  name: "schemas",
  title: "schema of an API",
  parent: apis,
  parameter: "schemaId",
  idWords: "api-schemas",
  descriptions: {
    put: `Operations refer to schemas by name, and exports contain them. The import of a document with schemas replaces the schema \`imported\`. An API may have ${SCHEMAS_MAX} schemas.`,
    delete: "Operations that refer to it are not checked.",
  },
  wire: { put: schemaBody, answer: schemaAnswer },
  lists: listsBy(schemaFilter),
  errors: [errors.validation],
  etag: { neededBy: ["DELETE"] },
  async prepare(wanted, about, context) {
    await requireRoom(context, about, { type: SCHEMA_TYPE, max: SCHEMAS_MAX, things: "schemas" });
    return wanted;
  },
});
