/** Recent requests, as a list and live. */
import { Type } from "@sinclair/typebox";
import { answer, defineErrors, media, operationsFor } from "#kernel/operation";
import type { Kernel } from "#kernel/runtime";
import { adminPermission } from "../protocol.ts";

const operation = operationsFor<unknown>();
const errors = defineErrors({ tooManyStreams: ["TooManyStreams", 429] });
const QUEUED_MAX = 1000;

/** Each request as one server-sent event, until the reader goes away. */
async function* liveRequests(kernel: Kernel): AsyncGenerator<string> {
  const queue: unknown[] = [];
  let wake = () => {};
  const stop = kernel.requestLog.listen((shown) => {
    if (queue.length < QUEUED_MAX) queue.push(shown);
    wake();
  });
  if (!stop) throw errors.tooManyStreams("Too many streams are open.");
  try {
    yield ": listening\n\n";
    for (;;) {
      if (queue.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      while (queue.length > 0) yield `event: request\ndata: ${JSON.stringify(queue.shift())}\n\n`;
    }
  } finally {
    stop();
  }
}

export const requestOperations = (kernel: Kernel) => [
  operation({
    id: "medley.requests.list",
    summary: "Recent requests with bodies, newest first; secrets are taken out",
    method: "GET",
    path: "/requests",
    permission: adminPermission,
    query: Type.Object({
      limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100 }),
      service: Type.Optional(Type.String()),
      operation: Type.Optional(Type.String()),
      account: Type.Optional(Type.String()),
      status: Type.Optional(Type.Integer()),
    }),
    answers: { 200: Type.Object({ requests: Type.Array(Type.Record(Type.String(), Type.Unknown())) }) },
    handle: ({ query }) => ({
      requests: kernel.requestLog.recent(
        query.limit,
        (record) =>
          (query.service ?? record.service) === record.service &&
          (query.operation ?? record.operation) === record.operation &&
          (query.account ?? record.account) === record.account &&
          (query.status ?? record.status) === record.status,
      ),
    }),
  }),
  operation({
    id: "medley.requests.stream",
    summary: "Requests as they come, by server-sent events",
    method: "GET",
    path: "/requests/stream",
    permission: adminPermission,
    answers: { 200: media("text/event-stream") },
    handle: () =>
      answer(200, liveRequests(kernel) as unknown as string, {
        "content-type": "text/event-stream",
        "cache-control": "no-store",
      }),
  }),
];
