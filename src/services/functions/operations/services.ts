/** The service behind a function, as the maker's interface of services shows it: its revisions and their traffic. */
import { type Static, Type } from "@sinclair/typebox";
import { isoOf } from "#kernel/clock";
import { described, given, numberedWords } from "#kernel/shape";
import {
  checkTraffic,
  followsLatest,
  nameOfFunction,
  nameOfService,
  REVISIONS_MAX,
  TARGETS_MAX,
  type Target,
  taggedSlug,
  trafficOf,
} from "../domain/index.ts";
import { errors } from "../errors.ts";
import { beginOperation, snapshotOf } from "../jobs/index.ts";
import { listReadyRevisions, type ServedFunction, saveFunction, saveOperation } from "../store/index.ts";
import * as wire from "../wire.ts";
import { getFunction, operation, refuseBusy } from "./operation.ts";
import { addressOf, operationView, originOf } from "./views.ts";

const SERVICE_PATH = "/v2/projects/{project}/locations/{location}/services/{service}";
const SERVICE_TYPE = "type.googleapis.com/google.cloud.run.v2.Service";
const TYPE = "TRAFFIC_TARGET_ALLOCATION_TYPE";
const LATEST = `${TYPE}_LATEST`;
const BY_NAME = `${TYPE}_REVISION`;
/** The mask that is possible; some clients send none. */
const MASKS: ReadonlySet<string> = new Set(["", "*", "traffic"]);

const Params = Type.Object({
  project: Type.String({ minLength: 1, maxLength: 100, description: "The project.", examples: ["demo"] }),
  location: Type.String({
    minLength: 1,
    maxLength: 63,
    description: "The location.",
    examples: ["us-central1"],
  }),
  service: Type.String({
    minLength: 1,
    maxLength: 63,
    description: "The function's id.",
    examples: ["hello"],
  }),
});
type Place = Static<typeof Params>;
const functionAt = ({ project, location, service }: Place): string =>
  nameOfFunction({ project, location, functionId: service });
const resource = ({ params }: { params: Place }): string => functionAt(params);

const TargetBody = Type.Object(
  {
    type: given(
      described(
        numberedWords([`${TYPE}_UNSPECIFIED`, LATEST, BY_NAME]),
        "Whether the newest revision is meant, or one by its name.",
        BY_NAME,
      ),
    ),
    revision: given(Type.String({ maxLength: 80, description: "The revision.", examples: ["hello-00001"] })),
    percent: given(
      Type.Integer({ minimum: 0, maximum: 100, description: "Its part of the requests.", examples: [100] }),
    ),
    tag: given(
      Type.String({ maxLength: 80, description: "A name for an address of its own.", examples: [""] }),
    ),
  },
  { description: "A revision and its part of the requests." },
);
const ServiceBody = Type.Object({
  traffic: given(
    Type.Array(TargetBody, {
      maxItems: 100,
      description: "All parts; together they make 100 percent.",
      examples: [[{ type: LATEST, percent: 100 }]],
    }),
  ),
  template: Type.Optional(
    Type.Unknown({
      description: "Refused: a new revision is made by a change of the function.",
      examples: [null],
    }),
  ),
});
const shownTarget = {
  type: Type.String({ description: "By name, or the newest.", examples: [BY_NAME] }),
  revision: Type.Optional(Type.String({ description: "The revision.", examples: ["hello-00001"] })),
  percent: Type.Integer({ description: "Its part of the requests.", examples: [100] }),
  tag: Type.Optional(Type.String({ description: "Its tag.", examples: ["next"] })),
};
const ServiceView = Type.Object({
  name: Type.String({
    description: "The service's name.",
    examples: ["projects/demo/locations/us-central1/services/hello"],
  }),
  generation: Type.String({ description: "How many revisions were begun.", examples: ["2"] }),
  createTime: Type.String({ format: "date-time", description: "When the function was made." }),
  updateTime: Type.String({ format: "date-time", description: "When it was changed last." }),
  uri: Type.String({
    description: "Where it answers.",
    examples: ["http://127.0.0.1:4020/functions/run/hello"],
  }),
  latestReadyRevision: Type.Optional(
    Type.String({ description: "The newest that came up.", examples: ["hello-00002"] }),
  ),
  traffic: Type.Array(Type.Object(shownTarget), { description: "The parts, as they were set." }),
  trafficStatuses: Type.Array(
    Type.Object({
      ...shownTarget,
      uri: Type.Optional(
        Type.String({
          description: "The address of its tag.",
          examples: ["http://127.0.0.1:4020/functions/run/next---hello"],
        }),
      ),
    }),
    { description: "The parts with the revisions that get them now." },
  ),
  reconciling: Type.Boolean({ description: "Whether a change is under way.", examples: [false] }),
});
const RevisionView = Type.Object({
  name: Type.String({
    description: "The revision's name.",
    examples: ["projects/demo/locations/us-central1/services/hello/revisions/hello-00001"],
  }),
  service: Type.String({ description: "Its service.", examples: ["hello"] }),
  createTime: Type.String({ format: "date-time", description: "When it was built." }),
});

const targetView = ({ revision, percent, tag }: Target) => ({
  type: revision === undefined ? LATEST : BY_NAME,
  ...(revision !== undefined && { revision }),
  percent,
  ...(tag !== undefined && { tag }),
});
const revisionName = (one: ServedFunction, revision: string): string =>
  `${nameOfService(one)}/revisions/${revision}`;
function serviceView(one: ServedFunction, origin: string): Static<typeof ServiceView> {
  const traffic = trafficOf(one);
  return {
    name: nameOfService(one),
    generation: String(one.generation),
    createTime: isoOf(one.createdAtMs),
    updateTime: isoOf(one.updatedAtMs),
    uri: addressOf(origin, one.slug),
    ...(one.revision !== undefined && { latestReadyRevision: revisionName(one, one.revision) }),
    traffic: traffic.map(targetView),
    trafficStatuses: traffic.map((target) => ({
      ...targetView(target),
      revision: target.revision ?? one.revision,
      ...(target.tag !== undefined && { uri: addressOf(origin, taggedSlug(target.tag, one.slug)) }),
    })),
    reconciling: one.busyWith !== undefined,
  };
}

function targetOf({ type, revision, percent, tag }: Static<typeof TargetBody>): Target {
  const isNamed = revision !== undefined && revision !== null && revision !== "";
  if ((type === LATEST && isNamed) || (type === BY_NAME && !isNamed))
    throw errors.invalidArgument(`A target of the type ${type} names ${isNamed ? "no" : "a"} revision.`);
  return { ...(isNamed && { revision }), percent: percent ?? 0, ...(tag && { tag }) };
}

const getService = operation({
  id: "functions.services.get",
  summary: "Returns how a function's traffic is split between its revisions",
  description:
    "`trafficStatuses` names the revision that each part goes to now, and the address of each tag.",
  method: "GET",
  path: SERVICE_PATH,
  permission: "cloudfunctions.functions.get",
  tags: ["additional"],
  params: Params,
  answers: { 200: ServiceView },
  errors: [errors.invalidArgument, errors.permissionDenied, errors.notFound],
  resource,
  async handle({ params }, context) {
    const one = await getFunction(context, functionAt(params), "cloudfunctions.functions.get");
    return serviceView(one, originOf(context.request));
  },
});

const changeTraffic = operation({
  id: "functions.services.patch",
  summary: "Splits a function's traffic between its revisions",
  description: `Takes effect immediately: the returned operation is already done. At most ${TARGETS_MAX} targets, together 100 percent, and only revisions that \`functions.revisions.list\` shows. If the newest revision does not get all requests, later deployments do not change the split. Refused with ABORTED during a deployment.`,
  method: "PATCH",
  path: SERVICE_PATH,
  permission: "cloudfunctions.functions.update",
  tags: ["additional"],
  params: Params,
  query: Type.Object({
    updateMask: Type.Optional(
      Type.String({
        maxLength: 4096,
        description: "`traffic` is all that can be changed.",
        examples: ["traffic"],
      }),
    ),
  }),
  body: ServiceBody,
  answers: { 200: wire.OperationView },
  errors: [errors.invalidArgument, errors.permissionDenied, errors.notFound, errors.aborted],
  examples: { body: { traffic: [{ type: LATEST, percent: 100 }] } },
  resource,
  async handle({ params, query, body }, context) {
    const one = await getFunction(context, functionAt(params), "cloudfunctions.functions.update");
    refuseBusy(one);
    if (
      !MASKS.has(query.updateMask?.trim() ?? "") ||
      (body.template ?? undefined) !== undefined ||
      !body.traffic
    )
      throw errors.invalidArgument(
        "Only traffic can be changed here, and must be given; change the function for a new revision.",
      );
    const { db, account, clock } = context;
    const traffic = body.traffic.map(targetOf);
    const ready = await listReadyRevisions(db, account, one.slug);
    checkTraffic(traffic, new Set(ready.map(({ revision }) => revision)));
    const { definition } = one;
    const serviceConfig = { ...definition.serviceConfig, allTrafficOnLatestRevision: followsLatest(traffic) };
    const nowMs = clock.nowMs();
    const changed: ServedFunction = {
      ...one,
      definition: { ...definition, serviceConfig },
      traffic,
      updatedAtMs: nowMs,
    };
    await saveFunction(db, account, changed);
    const begun = await beginOperation(context, one, { verb: "update", stages: [], requestResource: null });
    const ended = { ...begun, response: snapshotOf(changed), done: true, endedAtMs: nowMs };
    await saveOperation(db, account, ended);
    context.afterCommit(() => context.state.running.rerouted(changed));
    const origin = originOf(context.request);
    const service = { "@type": SERVICE_TYPE, ...serviceView(changed, origin) };
    return { ...operationView(ended, origin), metadata: service, response: service };
  },
});

const listRevisions = operation({
  id: "functions.revisions.list",
  summary: "Lists the revisions of a function that can receive requests",
  description: `Newest first. Revisions with traffic or a tag are kept, and the newest others, ${REVISIONS_MAX} in all; a deployment deletes the rest.`,
  method: "GET",
  path: `${SERVICE_PATH}/revisions`,
  permission: "cloudfunctions.functions.get",
  tags: ["additional"],
  params: Params,
  answers: {
    200: Type.Object({ revisions: Type.Array(RevisionView, { description: "All that are kept." }) }),
  },
  errors: [errors.invalidArgument, errors.permissionDenied, errors.notFound],
  resource,
  async handle({ params }, context) {
    const one = await getFunction(context, functionAt(params), "cloudfunctions.functions.get");
    const ready = await listReadyRevisions(context.db, context.account, one.slug);
    return {
      revisions: ready.map(({ revision, createdAtMs }) => ({
        name: revisionName(one, revision),
        service: nameOfService(one),
        createTime: isoOf(createdAtMs),
      })),
    };
  },
});

export const serviceOperations = [getService, changeTraffic, listRevisions];
