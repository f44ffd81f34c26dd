/** Functions and operations as clients see them. */
import type { Static } from "@sinclair/typebox";
import { isoOf } from "#kernel/clock";
import type { RequestInfo } from "#kernel/operation";
import {
  type CloudFunction,
  type FunctionName,
  isAllOnNewest,
  nameOfFunction,
  nameOfOperation,
  nameOfPlace,
  nameOfService,
} from "../domain/index.ts";
import type { StoredOperation } from "../store/index.ts";
import type { FunctionView, OperationView } from "../wire.ts";

const TYPES = "type.googleapis.com/google.cloud.functions.v2";
const EMPTY = "type.googleapis.com/google.protobuf.Empty";

/** Functions are served below the mount path, whatever address the caller used. */
export const originOf = ({ mountUrl }: Pick<RequestInfo, "mountUrl">): string => new URL(mountUrl).origin;
export const addressOf = (origin: string, slug: string): string => `${origin}/functions/run/${slug}`;

export function functionView(one: CloudFunction, origin: string): Static<typeof FunctionView> {
  const { definition, slug, revision } = one;
  const { buildConfig, serviceConfig, eventTrigger, ...rest } = definition;
  const place = nameOfPlace(one);
  const uri = addressOf(origin, slug);
  const source = buildConfig.source?.storageSource;
  return {
    name: nameOfFunction(one),
    ...rest,
    state: one.state,
    stateMessages: [...one.stateMessages],
    createTime: isoOf(one.createdAtMs),
    updateTime: isoOf(one.updatedAtMs),
    buildConfig: {
      ...buildConfig,
      build: `${place}/builds/${slug}-${one.generation}`,
      ...(source && { sourceProvenance: { resolvedStorageSource: source } }),
    },
    serviceConfig: {
      ...serviceConfig,
      // As published: whether the newest revision gets all requests now.
      allTrafficOnLatestRevision: isAllOnNewest(one),
      service: nameOfService(one),
      uri,
      ...(revision !== undefined && { revision }),
    },
    ...(eventTrigger && { eventTrigger: { ...eventTrigger, trigger: `${place}/triggers/${slug}` } }),
    ...(one.upgrade && { upgradeInfo: { upgradeState: one.upgrade.state } }),
    url: uri,
  };
}

/** The stored result of an operation, with the address that this caller can reach. */
function responseOf({ verb, response }: StoredOperation, origin: string): unknown {
  if (verb === "delete") return { "@type": EMPTY };
  return { "@type": `${TYPES}.Function`, ...functionView(response as CloudFunction, origin) };
}
export function operationView(one: StoredOperation, origin: string): Static<typeof OperationView> {
  const { metadata, verb, done, error } = one;
  const requested = metadata.requestResource as object | null;
  return {
    name: nameOfOperation(one, one.id),
    metadata: {
      "@type": `${TYPES}.OperationMetadata`,
      createTime: isoOf(one.createdAtMs),
      ...(one.endedAtMs !== undefined && { endTime: isoOf(one.endedAtMs) }),
      target: nameOfFunction(one as FunctionName),
      verb,
      cancelRequested: false,
      apiVersion: "v2",
      ...(metadata.statusDetail !== undefined && { statusDetail: metadata.statusDetail }),
      ...(requested && { requestResource: { "@type": `${TYPES}.Function`, ...requested } }),
      stages: metadata.stages,
      operationType: `${verb.toUpperCase()}_FUNCTION`,
    },
    done,
    ...(error && { error: { ...error, details: [] } }),
    ...(done && !error && { response: responseOf(one, origin) }),
  };
}
