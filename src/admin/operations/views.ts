/** Tables that services show about their live state. */
import { Type } from "@sinclair/typebox";
import { AccountId } from "#kernel/auth";
import { type ConsoleView, type Context, defineErrors, operationsFor, type Service } from "#kernel/operation";
import type { Kernel } from "#kernel/runtime";
import { curlOf } from "../console/docs-calls.ts";
import { ADMIN_PERMISSION } from "../protocol.ts";
import { shownWidgets, Widgets } from "../widgets.ts";
import { ServiceName } from "../wire.ts";

const operation = operationsFor<unknown>();
const errors = defineErrors({
  noSuchService: ["NoSuchService", 404],
  noSuchView: ["NoSuchView", 404],
  noSuchRow: ["NoSuchRow", 404],
});
const View = Type.Object({
  title: Type.String(),
  columns: Type.Array(Type.String()),
  rows: Type.Array(Type.Array(Type.Unknown()), { description: "Its rows.", examples: [[["production", 3]]] }),
  drawings: Type.Optional(Type.Array(Type.Object({ title: Type.String(), svg: Type.String() }))),
  links: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description:
        "Columns whose cells lead somewhere: to a `resource`, `job` or `message`, to the row of another `view` that begins so, or to the `rowsOf` another view with the same first cell.",
      examples: [{ Resource: "resource", Group: { view: "Groups" } }],
    }),
  ),
  hasDetail: Type.Boolean({ description: "Whether there is more to a row than it shows." }),
  widgets: Type.Optional(Widgets),
  madeBy: Type.Optional(
    Type.Object(
      {
        operation: Type.String({ description: "Its id.", examples: ["backup.CreateLegalHold"] }),
        summary: Type.String({ description: "What it does.", examples: ["Creates a legal hold"] }),
        curl: Type.String({ description: "A command that calls it.", examples: ["curl -X POST …"] }),
      },
      { description: "The operation that fills a table without rows." },
    ),
  ),
});

function madeByOf({ services }: Kernel, id: string | undefined, { mountUrl }: Context["request"]) {
  for (const service of services) {
    const found = service.operations.find((one) => one.id === id);
    if (!found) continue;
    const curl = curlOf(service, found, new URL(mountUrl).origin);
    return { madeBy: { operation: found.id, summary: found.summary, curl } };
  }
  return {};
}

/** With `after`, only views that support following return rows. */
async function viewOf(view: ConsoleView, context: Context, limit: number, after: string | undefined) {
  const { title, columns, drawings, links, detail } = view;
  const rows =
    after === undefined ? view.rows(context, limit) : (view.rowsAfter?.(context, after, limit) ?? []);
  return {
    title,
    columns: [...columns],
    rows: (await rows).map((row) => [...row]),
    hasDetail: detail !== undefined,
    ...(links && { links: { ...links } }),
    ...(drawings && after === undefined && { drawings: [...(await drawings(context))] }),
    ...(view.widgets && after === undefined && { widgets: shownWidgets(await view.widgets(context)) }),
  };
}

function getService(kernel: Kernel, wanted: string) {
  const service = kernel.services.find(({ name }) => name === wanted);
  if (!service) throw errors.noSuchService(`There is no service named ${wanted}.`);
  return service;
}

/** Context in which a service reads its views. */
const ownContext = (kernel: Kernel, service: Service, context: Context, account = context.account): Context =>
  kernel.jobContext(service.name, account, context.request.id, { mayBeOld: context.mayBeOld });

const detailOperation = (kernel: Kernel) =>
  operation({
    id: "medley.views.detail",
    summary: "Returns the details of a row of a service's table",
    description: "The row is named by its first cell.",
    method: "GET",
    path: "/views/{service}/detail",
    permission: ADMIN_PERMISSION,
    mayBeOld: "if-allowed",
    params: Type.Object({ service: ServiceName }),
    query: Type.Object({
      account: Type.Optional(AccountId),
      view: Type.String({ maxLength: 100, description: "The table's title.", examples: ["Jobs"] }),
      row: Type.String({
        maxLength: 2048,
        description: "The row's first cell.",
        examples: ["nightly/report"],
      }),
    }),
    answers: {
      200: Type.Object({
        value: Type.Unknown({
          description: "Everything about it.",
          examples: [{ name: "report", state: "enabled" }],
        }),
        widgets: Widgets,
      }),
    },
    errors: [errors.noSuchService, errors.noSuchView, errors.noSuchRow],
    async handle({ params, query }, context) {
      const service = getService(kernel, params.service);
      const view = (service.console ?? []).find(({ title }) => title === query.view);
      if (!view?.detail) throw errors.noSuchView(`${service.name} has no table ${query.view} with details.`);
      const own = ownContext(kernel, service, context, query.account);
      const found = await view.detail(own, query.row);
      if (!found) throw errors.noSuchRow(`There is no row ${query.row}.`);
      return { value: found.value, widgets: shownWidgets(found.widgets ?? []) };
    },
  });

const listOperation = (kernel: Kernel) =>
  operation({
    id: "medley.views",
    summary: "Returns the state of a service as tables",
    description:
      "Each service chooses its tables. `after` reads only newer rows of tables that can be followed.",
    method: "GET",
    path: "/views/{service}",
    permission: ADMIN_PERMISSION,
    mayBeOld: "if-allowed",
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
      const service = getService(kernel, params.service);
      const own = ownContext(kernel, service, context, query.account);
      const wanted = (service.console ?? []).filter(({ title }) => (query.view ?? title) === title);
      const views = [];
      for (const view of wanted) {
        const shown = await viewOf(view, own, query.limit, query.after);
        if (shown.rows.length > 0) views.push(shown);
        else if (query.view !== undefined || view.isShownEmpty !== false)
          views.push({ ...shown, ...madeByOf(kernel, view.madeBy, context.request) });
      }
      return { views };
    },
  });

export const viewOperations = (kernel: Kernel) => [detailOperation(kernel), listOperation(kernel)];
