/** Export, import and reset of state. */
import { Type } from "@sinclair/typebox";
import { AccountId } from "#kernel/auth";
import { answer, media, noBody, operationsFor, secret, streamedBody } from "#kernel/operation";
import type { Kernel } from "#kernel/runtime";
import { ARCHIVE_BYTES_MAX, exportState, importState, resetState } from "#kernel/state";
import { ADMIN_PERMISSION } from "../protocol.ts";

const operation = operationsFor<unknown>();
/** Strict: a misspelt filter must not reset everything. */
const Filter = Type.Object(
  {
    service: Type.Optional(
      Type.String({ maxLength: 200, description: "The state of this service alone.", examples: ["voice"] }),
    ),
    account: Type.Optional(AccountId),
  },
  { additionalProperties: false },
);
const TIMEOUT_SECONDS = 600;

export const stateOperations = (kernel: Kernel) => [
  operation({
    id: "medley.state.export",
    summary: "Exports state as lines of JSON",
    description:
      "All of it, or that of a service or account. Streams a consistent state; other requests are served meanwhile. Secrets are encrypted with a key of the export, so protect the file. Import it with `medley.state.import`.",
    method: "GET",
    path: "/state",
    permission: ADMIN_PERMISSION,
    timeoutSeconds: TIMEOUT_SECONDS,
    query: Filter,
    answers: { 200: secret(media("application/x-ndjson")) },
    handle: async ({ query }) => answer(200, await exportState(kernel, query)),
  }),
  operation({
    id: "medley.state.import",
    summary: "Replaces state with an export",
    description:
      "Replaces what the export covers, or only a service or account of it, in one change: all or nothing. Exports of older releases are migrated. The calling account and its credentials stay. Preview it with `medley.state.preview-import`.",
    method: "PUT",
    path: "/state",
    permission: ADMIN_PERMISSION,
    transaction: "manual",
    timeoutSeconds: TIMEOUT_SECONDS,
    query: Filter,
    bodyKinds: ["stream"],
    bodyBytesMax: ARCHIVE_BYTES_MAX,
    body: streamedBody,
    answers: { 200: Type.Object({ rows: Type.Integer(), credentialsLeftOut: Type.Integer() }) },
    handle: ({ body, query }, { account }) => importState(kernel, body, { caller: account, only: query }),
  }),
  operation({
    id: "medley.state.reset",
    summary: "Deletes state of services",
    description:
      "All of it, or that of a service or account. Accounts and credentials stay. This cannot be undone; take a snapshot with `medley.snapshots.take` first.",
    method: "POST",
    path: "/state/reset",
    permission: ADMIN_PERMISSION,
    transaction: "manual",
    timeoutSeconds: TIMEOUT_SECONDS,
    body: Filter,
    answers: { 204: noBody },
    handle: ({ body }) => resetState(kernel, body),
  }),
];
