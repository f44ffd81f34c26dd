/** Saving, loading and clearing state. */
import { Type } from "@sinclair/typebox";
import { answer, media, noBody, operationsFor } from "#kernel/operation";
import type { Kernel } from "#kernel/runtime";
import { exportState, importState, resetState } from "#kernel/state";
import { adminPermission } from "../protocol.ts";

const operation = operationsFor<unknown>();
const Filter = Type.Object({ service: Type.Optional(Type.String()), account: Type.Optional(Type.String()) });
const IMPORT_BYTES_MAX = 512 * 1024 * 1024;
const TIMEOUT_SECONDS = 600;

async function* linesOf(lines: readonly string[]): AsyncGenerator<string> {
  for (let start = 0; start < lines.length; start += 200) yield lines.slice(start, start + 200).join("");
}

export const stateOperations = (kernel: Kernel) => [
  operation({
    id: "medley.state.export",
    summary: "State as lines of JSON, whole or by service and account",
    method: "GET",
    path: "/state",
    permission: adminPermission,
    timeoutSeconds: TIMEOUT_SECONDS,
    query: Filter,
    answers: { 200: media("application/x-ndjson") },
    handle: async ({ query }) => answer(200, linesOf(await exportState(kernel, query)) as unknown as string),
  }),
  operation({
    id: "medley.state.import",
    summary: "Replaces the state that an export covers",
    method: "PUT",
    path: "/state",
    permission: adminPermission,
    transaction: "manual",
    timeoutSeconds: TIMEOUT_SECONDS,
    bodyKinds: ["binary"],
    bodyBytesMax: IMPORT_BYTES_MAX,
    body: Type.Uint8Array(),
    answers: { 200: Type.Object({ rows: Type.Integer() }) },
    handle: ({ body }) => importState(kernel, Buffer.from(body).toString("utf8")),
  }),
  operation({
    id: "medley.state.reset",
    summary: "Clears state, whole or by service and account; accounts and credentials stay",
    method: "POST",
    path: "/state/reset",
    permission: adminPermission,
    transaction: "manual",
    body: Filter,
    answers: { 204: noBody },
    handle: ({ body }) => resetState(kernel, body),
  }),
];
