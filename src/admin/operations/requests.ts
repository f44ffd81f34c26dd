/** Recent requests: as a list, live, and with their effects. */
import { type Static, Type } from "@sinclair/typebox";
import {
  detailOf,
  type KeptRequest,
  type LiveRequests,
  type ShownRequest,
  showRequest,
} from "#kernel/observe";
import { answer, defineErrors, media, operationsFor, type Principal } from "#kernel/operation";
import type { Kernel } from "#kernel/runtime";
import { OWN_PERMISSION, visibleAccountOf } from "../protocol.ts";
import { Caused } from "../wire.ts";

const operation = operationsFor<unknown>();
const errors = defineErrors({
  tooManyStreams: ["TooManyStreams", 429],
  noSuchRequest: ["NoSuchRequest", 404],
});

const eventOf = (name: string, data: unknown): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/**
 * Server-sent events: first all recent requests in one event, then each new request, until the client
 * disconnects.
 */
function eventsOf(
  requests: LiveRequests,
  readLatest: (() => readonly ShownRequest[]) | undefined,
): AsyncIterableIterator<string> {
  let unread = readLatest;
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      const { done, value: shown } = await requests.next();
      if (done) return { done, value: undefined };
      // The recent requests are read after the subscription starts, so that none is missed.
      const latest = unread ? eventOf("requests", unread()) : "";
      unread = undefined;
      return { value: latest + (shown ? eventOf("request", shown) : ": listening\n\n") };
    },
    return: () => requests.return(),
  };
}

const LATEST_MAX = 1000;
const word = (description: string, example: string) =>
  Type.Optional(Type.String({ maxLength: 256, description, examples: [example] }));
const Filter = {
  service: word("Requests of this service alone.", "voice"),
  operation: word("Requests of this operation alone.", "voice.SendVoiceMessage"),
  account: word("Requests of this account alone; others' are for admins.", "123456789012"),
  method: word("Requests with this method alone.", "POST"),
  status: Type.Optional(
    Type.String({
      pattern: "^[1-5](?:[0-9][0-9]|xx)$",
      description: "Requests with this answer alone, or with one of this hundred.",
      examples: ["404", "5xx"],
    }),
  ),
  text: word("Requests in which this text is seen, wherever it is.", "Joanna"),
  console: Type.Optional(
    Type.Boolean({ description: "With or without the console's own alone; both when absent." }),
  ),
  bodies: Type.Boolean({ default: true, description: "Whether headers and bodies are told as well." }),
};
const RequestFilter = Type.Object(Filter);
type RequestFilter = Static<typeof RequestFilter>;

function wantedOf(principal: Principal, query: RequestFilter) {
  const account = visibleAccountOf(principal, query.account);
  const status = query.status?.endsWith("xx") ? query.status.slice(0, 1) : query.status;
  const text = query.text?.toLowerCase();
  const fits = (record: KeptRequest): boolean =>
    (query.service ?? record.service) === record.service &&
    (query.operation ?? record.operation?.id) === record.operation?.id &&
    (account ?? record.account) === record.account &&
    (query.method ?? record.method) === record.method &&
    (query.console ?? record.isConsole) === record.isConsole &&
    (status === undefined || String(record.status).startsWith(status)) &&
    // The search uses the redacted form, so that a search for a secret finds nothing.
    (text === undefined || JSON.stringify(showRequest(record)).toLowerCase().includes(text));
  return { fits, bodies: query.bodies };
}

const Bytes = {
  bytes: Type.Optional(
    Type.String({ description: "In base64, of what is no text.", examples: ["iVBORw0KGgo="] }),
  ),
  media: Type.Optional(
    Type.String({
      description: "What the bytes are by themselves, where that is a picture or sound.",
      examples: ["image/png"],
    }),
  ),
};
const Message = (whose: string) =>
  Type.Object(
    {
      headers: Type.Record(Type.String(), Type.Unknown(), {
        description: "Its headers, without secrets.",
        examples: [{ "content-type": "application/json" }],
      }),
      body: Type.String({ description: "Its text, without secrets.", examples: ['{"text":"hello"}'] }),
      type: Type.String({ description: "Its media type.", examples: ["application/json"] }),
      length: Type.Integer({ description: "How many bytes it had.", examples: [16] }),
      isWhole: Type.Boolean({ description: "Whether all of it was kept." }),
      ...Bytes,
      parts: Type.Optional(
        Type.Array(
          Type.Object({
            name: Type.String({ description: "The field.", examples: ["picture"] }),
            filename: Type.Optional(
              Type.String({ description: "What the file is called.", examples: ["garden.png"] }),
            ),
            type: Type.String({ description: "Its media type.", examples: ["image/png"] }),
            length: Type.Integer({ description: "How many bytes of it were kept.", examples: [1024] }),
            isWhole: Type.Boolean({ description: "Whether all of it was kept." }),
            body: Type.String({ description: "Its text, without secrets.", examples: ["hello"] }),
            ...Bytes,
          }),
          { description: "Of a form with parts: what it holds." },
        ),
      ),
    },
    { description: whose },
  );
const Detail = Type.Object({
  id: Type.String(),
  at: Type.String(),
  durationMs: Type.Number({ description: "How long it took.", examples: [1.25] }),
  method: Type.String({ description: "Its method.", examples: ["POST"] }),
  url: Type.String(),
  service: Type.String(),
  operation: Type.Union([Type.String(), Type.Null()], {
    description: "The operation that answered; none where nothing did.",
    examples: ["voice.SendVoiceMessage"],
  }),
  account: Type.Union([Type.String(), Type.Null()], {
    description: "Whose request it was, where that is known.",
    examples: ["123456789012"],
  }),
  status: Type.Integer(),
  console: Type.Boolean({ description: "Whether it is the console's own." }),
  who: Type.Union(
    [
      Type.Object({
        account: Type.String(),
        name: Type.String({ description: "The credential's public name.", examples: ["kX2v…"] }),
        kind: Type.String(),
      }),
      Type.Null(),
    ],
    { description: "Who asked." },
  ),
  proof: Type.Union(
    [
      Type.Object({
        scheme: Type.String({ description: "The first word of its authorization.", examples: ["Bearer"] }),
        region: Type.Optional(
          Type.String({ description: "What it was signed for.", examples: ["us-east-1"] }),
        ),
        service: Type.Optional(
          Type.String({ description: "What it was signed for.", examples: ["sms-voice"] }),
        ),
      }),
      Type.Null(),
    ],
    { description: "How it proved whose it is, without the proof." },
  ),
  matched: Type.Union(
    [
      Type.Object({
        id: Type.String({ description: "The operation.", examples: ["voice.SendVoiceMessage"] }),
        service: Type.String(),
        method: Type.String({ description: "Its method.", examples: ["POST"] }),
        path: Type.String({ description: "Its path, as it is declared.", examples: ["/v1/voice/message"] }),
        summary: Type.String(),
      }),
      Type.Null(),
    ],
    { description: "The operation it matched." },
  ),
  phases: Type.Array(
    Type.Object({
      name: Type.String({
        description:
          "`decided`: who asks is known, and may; then the body is `received`, the operation `handled` and `committed`, and it is `answered`.",
        examples: ["handled"],
      }),
      ms: Type.Number({ description: "How many milliseconds it took.", examples: [0.4] }),
    }),
    { description: "Where the time went, in order." },
  ),
  request: Message("What was asked."),
  answer: Message("What was answered."),
  caused: Type.Array(Caused, {
    description: "The work, messages and resources it caused, as far as is known here.",
  }),
});

/** A request of another account counts as missing. */
export function getRequest(kernel: Kernel, { admin, account }: Principal, id: string): KeptRequest {
  const record = kernel.requestLog.find(id);
  if (record && (admin || record.account === account)) return record;
  throw errors.noSuchRequest(`There is no request ${id} among the recent ones.`);
}
export const noSuchRequest = errors.noSuchRequest;

function findMatched(kernel: Kernel, { operation: found, service }: KeptRequest) {
  if (!found) return null;
  const { id, method, path, summary } = found;
  const mount = kernel.services.find(({ name }) => name === service)?.mount ?? "";
  return { id, service, method, path: `${mount}${path}`, summary };
}

export const requestOperations = (kernel: Kernel) => [
  operation({
    id: "medley.requests.list",
    summary: "Lists recent requests with their bodies, newest first",
    description:
      "Requests to this node, kept in memory. Secrets are removed, bodies are cut at 8 KB, and the response at 2 MB. Of the caller's account, or of all for admins.",
    method: "GET",
    path: "/requests",
    permission: OWN_PERMISSION,
    query: Type.Object({
      limit: Type.Integer({
        minimum: 1,
        maximum: LATEST_MAX,
        default: 100,
        description: "How many requests.",
      }),
      ...Filter,
    }),
    answers: { 200: Type.Object({ requests: Type.Array(Type.Record(Type.String(), Type.Unknown())) }) },
    handle: ({ query: { limit, ...filter } }, { principal }) => ({
      requests: kernel.requestLog.recent(limit, wantedOf(principal, filter)),
    }),
  }),
  operation({
    id: "medley.requests.stream",
    summary: "Streams requests as server-sent events",
    description:
      "Each is an event named `request`; with `latest`, the earlier ones come first in one event named `requests`, newest first. Requests to this node only. An account may have 5 streams, and a node 20.",
    method: "GET",
    path: "/requests/stream",
    permission: OWN_PERMISSION,
    query: Type.Object({
      latest: Type.Integer({
        minimum: 0,
        maximum: LATEST_MAX,
        default: 0,
        description: "How many of those that came before are told first.",
        examples: [100],
      }),
      ...Filter,
    }),
    answers: { 200: media("text/event-stream") },
    errors: [errors.tooManyStreams],
    handle({ query: { latest, ...filter } }, { principal }) {
      const wanted = wantedOf(principal, filter);
      const requests = kernel.requestLog.stream(principal.account, wanted);
      if (!requests)
        throw errors.tooManyStreams(
          "Too many streams are open, five of an account and twenty in all: close one of them.",
        );
      const readLatest = latest === 0 ? undefined : () => kernel.requestLog.recent(latest, wanted);
      return answer(200, eventsOf(requests, readLatest), { "cache-control": "no-store" });
    },
  }),
  operation({
    id: "medley.requests.get",
    summary: "Returns a recent request with its effects",
    description:
      "Shows the matched operation, and the jobs, messages and resources that it caused. Requests to this node only.",
    method: "GET",
    path: "/requests/{id}",
    permission: OWN_PERMISSION,
    params: Type.Object({
      id: Type.String({
        maxLength: 100,
        description: "The request's id.",
        examples: ["2180bfd9-dfc1-4c30-992e-4425fec1caeb"],
      }),
    }),
    answers: { 200: Detail },
    errors: [errors.noSuchRequest],
    handle({ params }, { principal }) {
      const record = getRequest(kernel, principal, params.id);
      const shown = showRequest(record, { bodies: false }) as Static<typeof Detail>;
      return {
        ...shown,
        ...detailOf(record),
        matched: findMatched(kernel, record),
        caused: kernel.effects.of(record.id),
      };
    },
  }),
];
