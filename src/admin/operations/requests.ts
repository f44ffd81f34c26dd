/** Recent requests, as a list and live. */
import { Type } from "@sinclair/typebox";
import type { ShownRequest } from "#kernel/observe";
import { answer, defineErrors, media, operationsFor } from "#kernel/operation";
import type { Kernel } from "#kernel/runtime";
import { OWN_PERMISSION, visibleAccountOf } from "../protocol.ts";

const operation = operationsFor<unknown>();
const errors = defineErrors({ tooManyStreams: ["TooManyStreams", 429] });

/** Each request as one server-sent event, until the reader goes away. */
async function* eventsOf(requests: AsyncGenerator<ShownRequest | undefined>): AsyncGenerator<string> {
  for await (const shown of requests)
    yield shown ? `event: request\ndata: ${JSON.stringify(shown)}\n\n` : ": listening\n\n";
}

export const requestOperations = (kernel: Kernel) => [
  operation({
    id: "medley.requests.list",
    summary: "Recent requests with bodies, newest first, 2 MB at most; secrets are taken out",
    method: "GET",
    path: "/requests",
    permission: OWN_PERMISSION,
    query: Type.Object({
      limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: "How many requests." }),
      service: Type.Optional(
        Type.String({ description: "Requests of this service alone.", examples: ["voice"] }),
      ),
      operation: Type.Optional(
        Type.String({
          description: "Requests of this operation alone.",
          examples: ["voice.SendVoiceMessage"],
        }),
      ),
      account: Type.Optional(
        Type.String({
          description: "Requests of this account alone; others' are for admins.",
          examples: ["123456789012"],
        }),
      ),
      status: Type.Optional(
        Type.Integer({ description: "Requests with this answer alone.", examples: [404] }),
      ),
    }),
    answers: { 200: Type.Object({ requests: Type.Array(Type.Record(Type.String(), Type.Unknown())) }) },
    handle({ query }, { principal }) {
      const account = visibleAccountOf(principal, query.account);
      return {
        requests: kernel.requestLog.recent(
          query.limit,
          (record) =>
            (query.service ?? record.service) === record.service &&
            (query.operation ?? record.operation?.id) === record.operation?.id &&
            (account ?? record.account) === record.account &&
            (query.status ?? record.status) === record.status,
        ),
      };
    },
  }),
  operation({
    id: "medley.requests.stream",
    summary: "Requests as they come, by server-sent events",
    method: "GET",
    path: "/requests/stream",
    permission: OWN_PERMISSION,
    answers: { 200: media("text/event-stream") },
    errors: [errors.tooManyStreams],
    handle(_input, { principal }) {
      const account = visibleAccountOf(principal, undefined);
      const requests = kernel.requestLog.stream(
        principal.account,
        (record) => (account ?? record.account) === record.account,
      );
      if (!requests)
        throw errors.tooManyStreams(
          "Too many streams are open, five of an account and twenty in all: close one of them.",
        );
      return answer(200, eventsOf(requests), { "cache-control": "no-store" });
    },
  }),
];
