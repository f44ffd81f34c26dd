/** What the services show of their live state, as tables. */
import { Type } from "@sinclair/typebox";
import { AccountId } from "#kernel/auth";
import { type ConsoleView, type Context, defineErrors, operationsFor } from "#kernel/operation";
import type { Kernel } from "#kernel/runtime";
import { ADMIN_PERMISSION } from "../protocol.ts";
import { ServiceName } from "../wire.ts";

const operation = operationsFor<unknown>();
const errors = defineErrors({ noSuchService: ["NoSuchService", 404] });
const View = Type.Object({
  title: Type.String(),
  columns: Type.Array(Type.String()),
  rows: Type.Array(Type.Array(Type.Unknown()), { description: "Its rows.", examples: [[["production", 3]]] }),
  drawings: Type.Optional(Type.Array(Type.Object({ title: Type.String(), svg: Type.String() }))),
});

/** With `after`, only of views that can be followed; the others have nothing to tell then. */
async function viewOf(view: ConsoleView, context: Context, limit: number, after: string | undefined) {
  const { title, columns, drawings } = view;
  const rows =
    after === undefined ? view.rows(context, limit) : (view.rowsAfter?.(context, after, limit) ?? []);
  return {
    title,
    columns: [...columns],
    rows: (await rows).map((row) => [...row]),
    ...(drawings && after === undefined && { drawings: [...(await drawings(context))] }),
  };
}

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
      view: Type.Optional(
        Type.String({
          maxLength: 100,
          description: "Only the table of this title.",
          examples: ["Log"],
        }),
      ),
      after: Type.Optional(
        Type.String({
          maxLength: 100,
          description:
            "Of tables that can be followed: only rows behind the one that begins with this, the oldest first.",
          examples: ["1m7fqc7680000eyv1bw2px5"],
        }),
      ),
    }),
    answers: { 200: Type.Object({ views: Type.Array(View) }) },
    errors: [errors.noSuchService],
    async handle({ params, query }, context) {
      const service = kernel.services.find(({ name }) => name === params.service);
      if (!service) throw errors.noSuchService(`There is no service named ${params.service}.`);
      const own = kernel.jobContext(service.name, query.account ?? context.account, context.request.id);
      const views = [];
      for (const view of service.console ?? [])
        if (query.view === undefined || query.view === view.title)
          views.push(await viewOf(view, own, query.limit, query.after));
      return { views };
    },
  }),
];
