/** How an operation begins, moves and ends. */
import type { FunctionName, StateMessage } from "../domain/index.ts";
import type { FunctionsContext } from "../state.ts";
import {
  findOperation,
  insertOperation,
  type OperationError,
  type Stage,
  type StoredOperation,
  saveOperation,
} from "../store/index.ts";

/** Numbers of canonical errors. */
export const CODES = {
  INVALID_ARGUMENT: 3,
  ALREADY_EXISTS: 6,
  FAILED_PRECONDITION: 9,
  INTERNAL: 13,
} as const;
export const DEPLOY_STAGES = ["ARTIFACT_REGISTRY", "BUILD", "SERVICE", "TRIGGER"] as const;

const stageOf = (name: string): Stage => ({ name, state: "NOT_STARTED", message: "" });

/** Newer ones have greater ids. */
export async function beginOperation(
  { db, account, ids, clock }: FunctionsContext,
  name: FunctionName,
  {
    verb,
    stages,
    requestResource,
    error,
  }: {
    readonly verb: string;
    readonly stages: readonly string[];
    readonly requestResource: unknown;
    /** One that has failed before it began. */
    readonly error?: OperationError;
  },
): Promise<StoredOperation> {
  const nowMs = clock.nowMs();
  const { project, location, functionId } = name;
  const operation: StoredOperation = {
    project,
    location,
    functionId,
    id: `operation-${ids.sortable()}`,
    verb,
    metadata: { stages: stages.map(stageOf), requestResource },
    response: undefined,
    error,
    done: error !== undefined,
    createdAtMs: nowMs,
    endedAtMs: error === undefined ? undefined : nowMs,
  };
  await insertOperation(db, account, operation);
  return operation;
}

/** Up to a stage everything is done, and that one is under way; `undefined`: all are done. */
export async function moveTo(
  context: FunctionsContext,
  id: string,
  stage: string | undefined,
): Promise<void> {
  await context.transact(async ({ db, account }) => {
    const operation = await findOperation(db, account, id);
    if (!operation || operation.done) return;
    const { metadata } = operation;
    await saveOperation(db, account, {
      ...operation,
      metadata: { ...metadata, stages: stagesAt(metadata.stages, stage) },
    });
  });
}
export function stagesAt(stages: readonly Stage[], current: string | undefined): Stage[] {
  const index = current === undefined ? stages.length : stages.findIndex(({ name }) => name === current);
  return stages.map((stage, at) => ({
    ...stage,
    state: at < index ? "COMPLETE" : at === index ? "IN_PROGRESS" : "NOT_STARTED",
  }));
}

export const failure = (type: string, message: string): StateMessage => ({
  severity: "ERROR",
  type,
  message,
});
