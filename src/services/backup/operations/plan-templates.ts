/** Plans to begin with, and plans as JSON documents. */
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { planDocumentOf, planTemplates } from "../domain/index.ts";
import { errors } from "../errors.ts";
import type { BackupContext } from "../state.ts";
import * as store from "../store/plans.ts";
import * as wire from "../wire/index.ts";
import { operation, pageRequestOf } from "./operation.ts";
import { checkedDocument, namedPlan, planParams } from "./plans.ts";

const TEMPLATE_BYTES_MAX = 256 * 1024;

/** The content of a document with defaults. Rules get ids only when the document becomes a plan. */
function shownOf(context: BackupContext, given: ReturnType<typeof wire.givenPlanOf>) {
  return wire.planViewOf(
    planDocumentOf(given, { nowMs: context.clock.nowMs(), optionsOf: () => [], newId: () => "" }),
  );
}

const listBackupPlanTemplates = operation({
  id: "backup.ListBackupPlanTemplates",
  summary: "Lists the templates for backup plans",
  description: "The templates are fixed. Read one with `backup.GetBackupPlanFromTemplate`.",
  method: "GET",
  path: "/backup/template/plans",
  permission: "backup:ListBackupPlanTemplates",
  query: Type.Object(wire.page),
  answers: {
    200: Type.Object({
      BackupPlanTemplatesList: Type.Array(
        Type.Object({ BackupPlanTemplateId: Type.String(), BackupPlanTemplateName: Type.String() }),
      ),
      NextToken: Type.Optional(wire.NextToken),
    }),
  },
  errors: [errors.invalidParameterValue],
  async handle({ query }, { pages }) {
    const { rows, nextToken } = await pages.of(
      pageRequestOf(query, {}),
      (template: (typeof planTemplates)[number]) => [template.id],
      async (after, limit) => {
        const start = planTemplates.findIndex(({ id }) => id === after?.[0]) + 1;
        return planTemplates.slice(start, start + limit);
      },
    );
    return {
      BackupPlanTemplatesList: rows.map(({ id, plan }) => ({
        BackupPlanTemplateId: id,
        BackupPlanTemplateName: plan.name,
      })),
      ...(nextToken !== undefined && { NextToken: nextToken }),
    };
  },
});

const getBackupPlanFromTemplate = operation({
  id: "backup.GetBackupPlanFromTemplate",
  summary: "Returns the plan of a template",
  description: "Creates nothing. Pass the document to `backup.CreateBackupPlan`, after its vaults exist.",
  method: "GET",
  path: "/backup/template/plans/{templateId}/toPlan",
  permission: "backup:GetBackupPlanFromTemplate",
  params: Type.Object({ templateId: wire.TemplateId }),
  answers: { 200: Type.Object({ BackupPlanDocument: wire.PlanView }) },
  errors: [errors.notFound],
  async handle({ params }, context) {
    const template = planTemplates.find(({ id }) => id === params.templateId);
    if (!template) throw errors.notFound(`There is no template ${params.templateId}.`);
    return { BackupPlanDocument: shownOf(context, template.plan) };
  },
});

const DEPTH_SHOWN = 1;
function readPlan(text: string): Static<typeof wire.PlanInput> {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw errors.invalidRequest("BackupPlanTemplateJson is not a JSON document.");
  }
  if (Value.Check(wire.PlanInput, document)) return document;
  const [problem] = [...Value.Errors(wire.PlanInput, document)].slice(0, DEPTH_SHOWN);
  const place = problem?.path.slice(1).replaceAll("/", ".") ?? "";
  if (problem?.value === undefined)
    throw errors.missingParameterValue(`BackupPlanTemplateJson lacks ${place}.`);
  throw errors.invalidParameterValue(
    `BackupPlanTemplateJson holds no backup plan: see ${place || "it whole"}.`,
  );
}

const getBackupPlanFromJson = operation({
  id: "backup.GetBackupPlanFromJSON",
  summary: "Returns the plan of a JSON document",
  description:
    "Checks the document and adds defaults, but creates nothing. Use it to recreate an exported plan in another account or region.",
  method: "POST",
  path: "/backup/template/json/toPlan",
  permission: "backup:GetBackupPlanFromJSON",
  bodyBytesMax: 2 * TEMPLATE_BYTES_MAX,
  transaction: "read",
  body: Type.Object({
    BackupPlanTemplateJson: Type.String({
      minLength: 1,
      description: "The plan, as JSON.",
      examples: [
        '{"BackupPlanName":"office","Rules":[{"RuleName":"daily","TargetBackupVaultName":"nightly"}]}',
      ],
    }),
  }),
  answers: { 200: Type.Object({ BackupPlan: wire.PlanView }) },
  errors: [
    errors.limitExceeded,
    errors.invalidParameterValue,
    errors.missingParameterValue,
    errors.invalidRequest,
  ],
  async handle({ body }, context) {
    const { BackupPlanTemplateJson: text } = body;
    if (Buffer.byteLength(text) > TEMPLATE_BYTES_MAX)
      throw errors.limitExceeded(`A plan's document can have ${TEMPLATE_BYTES_MAX} bytes.`);
    const given = wire.givenPlanOf(readPlan(text));
    const document = await checkedDocument(context, context.request.region, given);
    return {
      BackupPlan: wire.planViewOf({
        ...document,
        rules: document.rules.map((rule) => ({ ...rule, id: "" })),
      }),
    };
  },
});

const exportBackupPlanTemplate = operation({
  id: "backup.ExportBackupPlanTemplate",
  summary: "Returns a backup plan as a JSON document",
  description:
    "Contains the current version without ids and selections. Read it elsewhere with `backup.GetBackupPlanFromJSON`.",
  method: "GET",
  path: "/backup/plans/{backupPlanId}/toTemplate/",
  permission: "backup:ExportBackupPlanTemplate",
  params: planParams,
  answers: { 200: Type.Object({ BackupPlanTemplateJson: Type.String() }) },
  errors: [errors.notFound],
  resource: namedPlan,
  async handle({ params }, { db, account, request }) {
    const plan = await store.getLivePlan(db, account, request.region, params.backupPlanId);
    const document = store.documentOf(await store.getPlanVersion(db, account, plan));
    return { BackupPlanTemplateJson: JSON.stringify(wire.planInputOf(document)) };
  },
});

export const planTemplateOperations = [
  listBackupPlanTemplates,
  getBackupPlanFromTemplate,
  getBackupPlanFromJson,
  exportBackupPlanTemplate,
];
