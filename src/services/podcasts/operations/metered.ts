/** Operations that count against the plan of the caller's key. */
import type { TSchema } from "@sinclair/typebox";
import {
  Answer,
  type Operation,
  type OperationSpec,
  oncePerRequest,
  operationsFor,
  ServiceError,
} from "#kernel/operation";
import { errors } from "../errors.ts";
import type { Usage } from "../quota/meter.ts";
import type { PodcastsContext, State } from "../state.ts";
import type { Tables } from "../tables.ts";

const operation = operationsFor<Tables, State>();

const headersOf = (usage: Usage, startedMs: number) => ({
  ...usage,
  "X-Vendor-Api-Latency-Seconds": ((performance.now() - startedMs) / 1000).toFixed(3),
});

const takeOnce = oncePerRequest((context: PodcastsContext) => context.state.meter.take(context));
async function counted(
  handle: (input: never, context: never) => unknown,
  input: unknown,
  context: PodcastsContext,
): Promise<unknown> {
  const startedMs = performance.now();
  const taken = takeOnce(context);
  const usage = taken instanceof Promise ? await taken : taken;
  try {
    const result = await handle(input as never, context as never);
    const headers = headersOf(usage, startedMs);
    return result instanceof Answer
      ? new Answer(result.status, result.body, { ...headers, ...result.headers })
      : new Answer(200, result, headers);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const headers = { ...headersOf(usage, startedMs), ...error.extras.headers };
    throw new ServiceError(error.kind, error.message, { ...error.extras, headers });
  }
}

/** Like `operationsFor`, with quota checks and quota headers. */
export function meteredOperation<
  A extends Readonly<Record<number, TSchema>>,
  P extends TSchema | undefined = undefined,
  Q extends TSchema | undefined = undefined,
  H extends TSchema | undefined = undefined,
  B extends TSchema | undefined = undefined,
>(spec: OperationSpec<Tables, State, P, Q, H, B, A>): Operation {
  const { handle } = spec;
  return {
    ...operation(spec),
    errors: [...(spec.errors ?? []), errors.quotaExceeded],
    handle: (input, context) => counted(handle as never, input, context),
  };
}
