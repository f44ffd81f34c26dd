/** Named snapshots of the state, and previews of restores, imports and resets. */
import { Type } from "@sinclair/typebox";
import { AccountId } from "#kernel/auth";
import { isoOf } from "#kernel/clock";
import { answer, defineErrors, noBody, operationsFor, streamedBody } from "#kernel/operation";
import type { Kernel, KernelTables } from "#kernel/runtime";
import {
  ARCHIVE_BYTES_MAX,
  deleteSnapshot,
  findSnapshot,
  importState,
  listSnapshots,
  previewImport,
  previewReset,
  type ServiceChange,
  takeSnapshot,
  withSnapshot,
} from "#kernel/state";
import { ADMIN_PERMISSION } from "../protocol.ts";

const operation = operationsFor<KernelTables>();
const errors = defineErrors({ noSuchSnapshot: ["NoSuchSnapshot", 404] });
const TIMEOUT_SECONDS = 600;
const Name = Type.String({
  pattern: "^[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}$",
  description: "What it is called.",
  examples: ["before the demo"],
});
const Filter = {
  service: Type.Optional(
    Type.String({ maxLength: 200, description: "The state of this service alone.", examples: ["voice"] }),
  ),
  account: Type.Optional(AccountId),
};
const Snapshot = Type.Object({
  name: Name,
  createdAt: Type.String({ description: "When it was taken, on the machine's clock." }),
  bytes: Type.Integer({ description: "How large it is.", examples: [1_048_576] }),
  rows: Type.Integer(),
  ...Filter,
});
const Changes = Type.Object({
  rows: Type.Integer({ description: "How many rows there would be.", examples: [120] }),
  services: Type.Array(
    Type.Object({
      service: Type.String({
        description:
          "The service; `accounts` for accounts and their credentials, `outside` for what was registered by hand.",
        examples: ["voice"],
      }),
      now: Type.Integer({ description: "How many rows it has now.", examples: [140] }),
      later: Type.Integer({ description: "How many it would have.", examples: [120] }),
    }),
    { description: "Those that would change or stay, by name." },
  ),
});
const named = Type.Object({ name: Name });

const viewOf = ({
  name,
  created_at,
  bytes,
  rows,
  service,
  account,
}: Awaited<ReturnType<typeof takeSnapshot>>) => ({
  name,
  createdAt: isoOf(created_at),
  bytes,
  rows,
  ...(service !== null && { service }),
  ...(account !== null && { account }),
});
const changesOf = (services: ServiceChange[]) => ({
  rows: services.reduce((sum, { later }) => sum + later, 0),
  services,
});

const previewOperations = (kernel: Kernel) => [
  operation({
    id: "medley.state.preview-reset",
    summary: "Returns what a reset would delete",
    description: "Changes nothing. Counts rows by service.",
    method: "POST",
    path: "/state/preview",
    permission: ADMIN_PERMISSION,
    transaction: "manual",
    timeoutSeconds: TIMEOUT_SECONDS,
    body: Type.Object(Filter, { additionalProperties: false }),
    answers: { 200: Changes },
    handle: async ({ body }) => changesOf(await previewReset(kernel, body)),
  }),
  operation({
    id: "medley.state.preview-import",
    summary: "Returns what an import would replace",
    description: "Changes nothing. Reads the whole export and counts rows by service.",
    method: "POST",
    path: "/state/import/preview",
    permission: ADMIN_PERMISSION,
    transaction: "manual",
    timeoutSeconds: TIMEOUT_SECONDS,
    query: Type.Object(Filter, { additionalProperties: false }),
    bodyKinds: ["stream"],
    bodyBytesMax: ARCHIVE_BYTES_MAX,
    body: streamedBody,
    answers: { 200: Changes },
    handle: async ({ body, query }) => changesOf(await previewImport(kernel, body, query)),
  }),
];

const deleteOperation = operation({
  id: "medley.snapshots.delete",
  summary: "Deletes a snapshot",
  description: "The present state does not change.",
  method: "DELETE",
  path: "/snapshots/{name}",
  permission: ADMIN_PERMISSION,
  params: named,
  answers: { 204: noBody },
  errors: [errors.noSuchSnapshot],
  async handle({ params }, { db }) {
    if (!(await deleteSnapshot(db, params.name)))
      throw errors.noSuchSnapshot(`There is no snapshot named ${params.name}.`);
  },
});

export function snapshotOperations(kernel: Kernel) {
  const get = async (name: string) => {
    const row = await findSnapshot(kernel.database.read, name);
    if (!row) throw errors.noSuchSnapshot(`There is no snapshot named ${name}.`);
    return row;
  };
  return [
    ...previewOperations(kernel),
    operation({
      id: "medley.snapshots.list",
      summary: "Lists the snapshots of the state, newest first",
      description: "With their size and filter.",
      method: "GET",
      path: "/snapshots",
      permission: ADMIN_PERMISSION,
      answers: {
        200: Type.Object({ snapshots: Type.Array(Snapshot, { description: "The snapshots." }) }),
      },
      handle: async (_input, { db }) => ({ snapshots: (await listSnapshots(db)).map(viewOf) }),
    }),
    operation({
      id: "medley.snapshots.take",
      summary: "Takes a snapshot of the state",
      description:
        "Replaces a snapshot of the same name. At most 20 snapshots. They are stored on this server and survive a reset.",
      method: "POST",
      path: "/snapshots",
      permission: ADMIN_PERMISSION,
      transaction: "manual",
      timeoutSeconds: TIMEOUT_SECONDS,
      body: Type.Object({ name: Name, ...Filter }, { additionalProperties: false }),
      answers: { 201: Snapshot },
      examples: { body: { name: "before the demo" } },
      handle: async ({ body: { name, ...filter } }) =>
        answer(201, viewOf(await takeSnapshot(kernel, name, filter))),
    }),
    operation({
      id: "medley.snapshots.preview",
      summary: "Returns what restoring a snapshot would change",
      description: "Changes nothing. Counts rows by service.",
      method: "GET",
      path: "/snapshots/{name}/preview",
      permission: ADMIN_PERMISSION,
      timeoutSeconds: TIMEOUT_SECONDS,
      params: named,
      answers: { 200: Changes },
      errors: [errors.noSuchSnapshot],
      handle: async ({ params }) =>
        changesOf(await withSnapshot(kernel, await get(params.name), (file) => previewImport(kernel, file))),
    }),
    operation({
      id: "medley.snapshots.restore",
      summary: "Restores a snapshot",
      description:
        "Replaces the state that the snapshot covers, all or nothing. The calling account stays, and so do the snapshots.",
      method: "POST",
      path: "/snapshots/{name}/restore",
      permission: ADMIN_PERMISSION,
      transaction: "manual",
      timeoutSeconds: TIMEOUT_SECONDS,
      params: named,
      answers: { 200: Type.Object({ rows: Type.Integer(), credentialsLeftOut: Type.Integer() }) },
      errors: [errors.noSuchSnapshot],
      handle: async ({ params }, { account: caller }) =>
        withSnapshot(kernel, await get(params.name), (file) => importState(kernel, file, { caller })),
    }),
    deleteOperation,
  ];
}
