/** Shared parts of the operations. */
import { Type } from "@sinclair/typebox";
import { operationsFor } from "#kernel/operation";
import type { PageRequest } from "#kernel/paging";
import { type ModelKind, modelArnOf } from "../domain/arns.ts";
import { errors } from "../errors.ts";
import type { State } from "../state.ts";
import type { Tables } from "../tables.ts";
import * as wire from "../wire/index.ts";

export const operation = operationsFor<Tables, State>();

export const pageRequestOf = (
  { maxResults, nextToken }: { maxResults: number; nextToken?: string | undefined },
  filter: unknown,
): PageRequest => ({ size: maxResults, token: nextToken, filter, invalid: errors.invalidRequest });

/** Resource ARN for policies. */
export const namedModel =
  (kind: ModelKind) =>
  (name: string, account: string, region: string): string =>
    modelArnOf({ account, region, kind, name });

type ModelName<Name extends string> = { readonly params: { readonly [Key in Name]: string } };
const alarmModelArn = namedModel("alarm");
/** Parameters and policy resource of operations on one alarm model. */
export const ofAlarmModel = {
  params: Type.Object({ alarmModelName: wire.AlarmModelName }),
  resource: ({ params }: ModelName<"alarmModelName">, account: string, region: string) =>
    alarmModelArn(params.alarmModelName, account, region),
};
const detectorModelArn = namedModel("detector");
export const ofDetectorModel = {
  params: Type.Object({ detectorModelName: wire.DetectorModelName }),
  resource: ({ params }: ModelName<"detectorModelName">, account: string, region: string) =>
    detectorModelArn(params.detectorModelName, account, region),
};
