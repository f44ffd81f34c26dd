/** Locations, runtimes and operations. */
import { type Static, Type } from "@sinclair/typebox";
import {
  ENVIRONMENTS,
  EVERYWHERE,
  LOCATION_FORM,
  LOCATIONS,
  PROJECT_FORM,
  placeOf,
  projectOf,
  RUNTIMES,
  readFilter,
  readOperationFilter,
  warningsOf,
} from "../domain/index.ts";
import { errors } from "../errors.ts";
import { hasProgram } from "../running/programs.ts";
import type { FunctionsContext } from "../state.ts";
import { listOperations, type StoredOperation } from "../store/index.ts";
import * as wire from "../wire.ts";
import { claimProject, operation, permitOwner } from "./operation.ts";
import { operationView, originOf } from "./views.ts";

const LOCATIONS_PAGE_MAX = 1000;
const OPERATIONS_PAGE_MAX = 100;
const PROJECT = "projects/demo";
const LOCATION = "projects/demo/locations/us-central1";
const LOCATION_METADATA = "type.googleapis.com/google.cloud.functions.v2.LocationMetadata";

const LocationView = Type.Object({
  name: Type.String({ description: "The location's name." }),
  locationId: Type.String({ description: "Its short name." }),
  displayName: Type.String({ description: "Its name for people." }),
  labels: Type.Record(Type.String(), Type.String(), { description: "Labels." }),
  metadata: Type.Optional(Type.Unknown({ description: "What can be done there." })),
});
/** The public client's helper for the older version cannot read the newer form of a location. */
const locationView = (
  project: string,
  locationId: string,
  isNewer: boolean,
): Static<typeof LocationView> => ({
  name: `projects/${project}/locations/${locationId}`,
  locationId,
  displayName: LOCATIONS[locationId] ?? locationId,
  labels: { "cloud.googleapis.com/region": locationId },
  ...(isNewer && { metadata: { "@type": LOCATION_METADATA, environments: ENVIRONMENTS } }),
});

const listLocationsAt = (id: string, path: string, tags?: readonly string[]) =>
  operation({
    id,
    summary: "Lists the locations of functions",
    description: `Locations are names only: all functions run on this server. A page has at most ${LOCATIONS_PAGE_MAX} locations, so usually all.`,
    method: "GET",
    path,
    segments: { name: [PROJECT_FORM] },
    permission: "cloudfunctions.locations.list",
    ...(tags && { tags }),
    params: Type.Object({ name: wire.name("The project.", PROJECT) }),
    query: Type.Object({ filter: wire.Filter, pageSize: wire.PageSize, pageToken: wire.PageToken }),
    answers: {
      200: Type.Object({
        locations: Type.Array(LocationView, { description: "The locations of this page." }),
        nextPageToken: wire.NextPageToken,
      }),
    },
    errors: [errors.invalidArgument, errors.permissionDenied],
    async handle({ params, query }, context) {
      const project = projectOf(params.name);
      await claimProject(context, params.name);
      const { filter, pageSize = 0, pageToken } = query;
      const wanted = readFilter(filter, Object.keys(LocationView.properties));
      const all = Object.keys(LOCATIONS)
        .map((one) => locationView(project, one, path.startsWith("/v2")))
        .filter((view) => wanted?.(view) ?? true);
      const size = pageSize === 0 ? LOCATIONS_PAGE_MAX : Math.min(pageSize, LOCATIONS_PAGE_MAX);
      const { rows, nextToken } = await context.pages.of(
        { size, token: pageToken, filter: { project, filter }, invalid: errors.invalidArgument },
        (view: (typeof all)[number]) => [view.locationId],
        async (after, limit) =>
          all.filter(({ locationId }) => locationId > (after?.[0] ?? "")).slice(0, limit),
      );
      return { locations: [...rows], ...(nextToken !== undefined && { nextPageToken: nextToken }) };
    },
  });

const getLocation = operation({
  id: "functions.locations.get",
  summary: "Returns a location",
  description: "Locations are names only: all functions run on this server.",
  method: "GET",
  path: "/v1/{name}",
  segments: { name: [LOCATION_FORM] },
  permission: "cloudfunctions.locations.get",
  params: Type.Object({ name: wire.name("The location.", LOCATION) }),
  answers: { 200: LocationView },
  errors: [errors.invalidArgument, errors.permissionDenied, errors.notFound],
  async handle({ params }, context) {
    const { project, location } = placeOf(params.name);
    await claimProject(context, params.name);
    if (!(location in LOCATIONS)) throw errors.notFound(`Location '${params.name}' was not found`);
    return locationView(project, location, false);
  },
});

const RuntimeView = Type.Object({
  name: Type.String({ description: "Its name in a function's settings." }),
  displayName: Type.String({ description: "Its name for people." }),
  stage: Type.String({ description: "How mature it is." }),
  environment: Type.String({ description: "The generation it belongs to." }),
  warnings: Type.Array(Type.String(), { description: "What to know of it." }),
});

const listRuntimes = operation({
  id: "functions.runtimes.list",
  summary: "Lists the runtimes and whether this machine can run them",
  description:
    "Warnings say what is missing, such as Python or bubblewrap. A function with a runtime that cannot run here fails when it is deployed.",
  method: "GET",
  path: "/v2/{parent}/runtimes",
  segments: { parent: [LOCATION_FORM] },
  permission: "cloudfunctions.runtimes.list",
  params: Type.Object({ parent: wire.name("The place.", LOCATION) }),
  query: Type.Object({ filter: wire.Filter }),
  transaction: "manual",
  answers: {
    200: Type.Object({
      runtimes: Type.Array(RuntimeView, { description: "All runtimes that fit." }),
    }),
  },
  errors: [errors.invalidArgument, errors.permissionDenied],
  async handle({ params, query }, context) {
    placeOf(params.parent);
    await claimProject(context, params.parent);
    const wanted = readFilter(query.filter, Object.keys(RuntimeView.properties));
    const hasPython = (await context.state.running.python()) !== undefined;
    const hasBubblewrap = (await context.state.running.level()) === "bubblewrap";
    const machine = { hasPython, hasBubblewrap, nodeVersion: process.versions.node, has: hasProgram };
    const runtimes = RUNTIMES.flatMap((runtime) => {
      const { name, displayName, stage } = runtime;
      const warnings = warningsOf(runtime, machine);
      return ENVIRONMENTS.map((environment) => ({ name, displayName, stage, environment, warnings }));
    });
    return { runtimes: runtimes.filter((view) => wanted?.(view) ?? true) };
  },
});

const listOperationsOperation = operation({
  id: "functions.operations.list",
  summary: "Lists the operations of a function, or the latest of a project",
  description: `Newest first, at most ${OPERATIONS_PAGE_MAX} on a page. Only the operations of one function have further pages; a page token without a function is refused. Operations are deleted after 30 days.`,
  method: "GET",
  path: "/v2/{name}/operations",
  segments: { name: [LOCATION_FORM] },
  permission: "cloudfunctions.operations.list",
  params: Type.Object({ name: wire.name("The place.", LOCATION) }),
  query: Type.Object({
    filter: Type.Optional(
      Type.String({
        maxLength: 1024,
        description: "`project:p,location:l,function:f` or `project:p,latest:true`.",
        examples: ["project:demo,latest:true"],
      }),
    ),
    pageSize: wire.PageSize,
    pageToken: wire.PageToken,
  }),
  answers: {
    200: Type.Object({
      operations: Type.Array(wire.OperationView, {
        description: "The operations of this page, newest first.",
      }),
      nextPageToken: wire.NextPageToken,
    }),
  },
  errors: [errors.invalidArgument, errors.permissionDenied, errors.unimplemented],
  async handle({ params, query }, context) {
    const place = placeOf(params.name);
    await claimProject(context, params.name);
    permitOwner(context, "cloudfunctions.operations.list", params.name);
    const { filter, pageSize = 0, pageToken } = query;
    const wanted = readOperationFilter(filter, place);
    if (wanted.functionId === undefined && pageToken !== undefined && pageToken !== "")
      throw errors.unimplemented("Only the operations of one function come in pages.");
    const size = pageSize === 0 ? OPERATIONS_PAGE_MAX : Math.min(pageSize, OPERATIONS_PAGE_MAX);
    const origin = originOf(context.request);
    const where = {
      project: wanted.project,
      ...(wanted.location !== EVERYWHERE && wanted.location !== undefined && { location: wanted.location }),
      ...(wanted.functionId !== undefined && { functionId: wanted.functionId }),
    };
    const { rows, nextToken } = await pageOf(context, { size, pageToken, filter: where }, where);
    return {
      operations: rows.map((one) => operationView(one, origin)),
      ...(nextToken !== undefined && wanted.functionId !== undefined && { nextPageToken: nextToken }),
    };
  },
});
const pageOf = (
  { pages, db, account }: FunctionsContext,
  { size, pageToken, filter }: { size: number; pageToken: string | undefined; filter: unknown },
  where: Parameters<typeof listOperations>[2],
) =>
  pages.of(
    { size, token: pageToken, filter, invalid: errors.invalidArgument },
    (one: StoredOperation) => [one.id],
    (after, limit) => listOperations(db, account, where, { before: after?.[0], limit }),
  );

export const listOperationDeclarations = [
  listLocationsAt("functions.locations.list", "/v2/{name}/locations"),
  listLocationsAt("functions.locations.listV1", "/v1/{name}/locations", ["additional"]),
  getLocation,
  listRuntimes,
  listOperationsOperation,
];
