/** What the services show of their live state, as tables. */
import { Type } from "@sinclair/typebox";
import { AccountId } from "#kernel/auth";
import { defineErrors, operationsFor } from "#kernel/operation";
import type { Kernel } from "#kernel/runtime";
import { ADMIN_PERMISSION } from "../protocol.ts";
import { ServiceName } from "../wire.ts";

const operation = operationsFor<unknown>();
const errors = defineErrors({ noSuchService: ["NoSuchService", 404] });
const View = Type.Object({
  title: Type.String(),
  columns: Type.Array(Type.String()),
  rows: Type.Array(Type.Array(Type.Unknown())),
});

export const viewOperations = (kernel: Kernel) => [
  operation({
    id: "medley.views",
    summary: "Live state of one service, as the tables it chose to show",
    method: "GET",
    path: "/views/{service}",
    permission: ADMIN_PERMISSION,
    params: Type.Object({ service: ServiceName }),
    query: Type.Object({
      account: Type.Optional(AccountId),
      limit: Type.Integer({
        minimum: 1,
        maximum: 500,
        default: 50,
        description: "How many rows each table has at most.",
      }),
    }),
    answers: { 200: Type.Object({ views: Type.Array(View) }) },
    errors: [errors.noSuchService],
    async handle({ params, query }, context) {
      const service = kernel.services.find(({ name }) => name === params.service);
      if (!service) throw errors.noSuchService(`There is no service named ${params.service}.`);
      const own = kernel.jobContext(service.name, query.account ?? context.account, context.request.id);
      const views = [];
      for (const { title, columns, rows } of service.console ?? []) {
        views.push({
          title,
          columns: [...columns],
          rows: (await rows(own, query.limit)).map((row) => [...row]),
        });
      }
      return { views };
    },
  }),
];
