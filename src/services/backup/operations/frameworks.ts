/** Audit frameworks. */
import { Type } from "@sinclair/typebox";
import {
  type Control,
  checkControls,
  checkTags,
  frameworkArnOf,
  frameworkStatusOf,
  TYPES,
} from "../domain/index.ts";
import { errors } from "../errors.ts";
import { evaluateSoon, forgetEvaluation, sourcesOf } from "../jobs/index.ts";
import type { BackupContext } from "../state.ts";
import * as store from "../store/index.ts";
import * as wire from "../wire/index.ts";
import { operation, pageRequestOf } from "./operation.ts";

const FRAMEWORKS_MAX = 15;
const CONTROLS_MAX = 50;
const params = Type.Object({ frameworkName: wire.FrameworkName });
const namedFramework = (
  { params: { frameworkName } }: { params: { frameworkName: string } },
  account: string,
  region: string,
): string => frameworkArnOf(account, region, frameworkName);

/** `except`: the framework that is being changed. */
async function checkRoom(
  context: BackupContext,
  controls: readonly Control[],
  except?: string,
): Promise<void> {
  const { db, account, request } = context;
  checkControls(controls, new Set(sourcesOf(context).all.map(({ resourceType }) => resourceType)));
  const others = (
    await store.listFrameworks(db, account, request.region, { after: "", limit: FRAMEWORKS_MAX + 1 })
  ).filter(({ name }) => name !== except);
  const used = others.reduce((count, framework) => count + framework.controls.length, 0);
  if (others.length >= FRAMEWORKS_MAX)
    throw errors.limitExceeded(`An account can have ${FRAMEWORKS_MAX} frameworks in a region.`);
  if (used + controls.length > CONTROLS_MAX)
    throw errors.limitExceeded(`An account can have ${CONTROLS_MAX} controls in a region.`);
  const text = JSON.stringify(controls);
  const same = others.find((framework) => JSON.stringify(framework.controls) === text);
  if (same)
    throw errors.alreadyExists(`The framework ${same.name} has the same controls.`, {
      fields: { Arn: frameworkArnOf(account, request.region, same.name) },
    });
}

const createFramework = operation({
  id: "backup.CreateFramework",
  summary: "Creates a framework of audit controls",
  description: `A job evaluates the controls now, and then once a day, against plans, vaults, recovery points and resources. An account may have ${FRAMEWORKS_MAX} frameworks with ${CONTROLS_MAX} controls in a region, and no two with the same controls. See the findings in a report: \`backup.CreateReportPlan\`.`,
  method: "POST",
  path: "/audit/frameworks",
  permission: "backup:CreateFramework",
  body: Type.Object({
    FrameworkName: wire.FrameworkName,
    FrameworkDescription: Type.Optional(wire.AuditDescription),
    FrameworkControls: wire.Controls,
    IdempotencyToken: Type.Optional(wire.IdempotencyToken),
    FrameworkTags: Type.Optional(wire.Tags),
  }),
  answers: { 200: wire.FrameworkMade },
  errors: [
    errors.alreadyExists,
    errors.limitExceeded,
    errors.invalidParameterValue,
    errors.missingParameterValue,
  ],
  resource: ({ body }, account, region) => frameworkArnOf(account, region, body.FrameworkName),
  async handle({ body }, context) {
    const { db, account, clock, ids, request } = context;
    const { FrameworkName: name, IdempotencyToken: token, FrameworkTags: tags = {} } = body;
    const arn = frameworkArnOf(account, request.region, name);
    const controls = wire.controlsOf(body.FrameworkControls);
    const there = await store.findFramework(db, account, request.region, name);
    if (there) {
      if (token !== undefined && there.token === token) return { FrameworkName: name, FrameworkArn: arn };
      throw errors.alreadyExists(`There is a framework ${name} already.`, { fields: { Arn: arn } });
    }
    checkTags(tags);
    await checkRoom(context, controls);
    const framework: store.Framework = {
      account,
      region: request.region,
      name,
      id: ids.uuid(),
      description: body.FrameworkDescription ?? null,
      controls,
      deployment_status: "CREATE_IN_PROGRESS",
      token: token ?? null,
      created_at: clock.nowMs(),
      evaluated_at: null,
    };
    await store.insertFramework(db, account, framework);
    await context.catalog.put({ arn, type: TYPES.framework, name, region: request.region, tags });
    await evaluateSoon(context, framework);
    return { FrameworkName: name, FrameworkArn: arn };
  },
});

const describeFramework = operation({
  id: "backup.DescribeFramework",
  summary: "Returns a framework with its controls",
  description:
    "`FrameworkStatus` is PARTIALLY_ACTIVE or INACTIVE if controls name resource types that are opted out.",
  method: "GET",
  path: "/audit/frameworks/{frameworkName}",
  permission: "backup:DescribeFramework",
  params,
  answers: { 200: wire.FrameworkDescribed },
  errors: [errors.notFound],
  resource: namedFramework,
  async handle({ params: { frameworkName } }, { db, account, request }) {
    const framework = await store.getFramework(db, account, request.region, frameworkName);
    const { optIn } = await store.getRegionSettings(db, account, request.region);
    return {
      FrameworkName: framework.name,
      FrameworkArn: frameworkArnOf(account, framework.region, framework.name),
      ...(framework.description !== null && { FrameworkDescription: framework.description }),
      FrameworkControls: wire.controlViewsOf(framework.controls),
      CreationTime: wire.timeOf(framework.created_at),
      DeploymentStatus: framework.deployment_status,
      FrameworkStatus: frameworkStatusOf(framework.controls, (type) => optIn[type] ?? true),
      ...(framework.token !== null && { IdempotencyToken: framework.token }),
    };
  },
});

function checkAtRest({ name, deployment_status: status }: store.Framework): void {
  if (status.endsWith("_IN_PROGRESS"))
    throw errors.conflict(`The framework ${name} is being worked on (${status}); try again later.`);
}

const updateFramework = operation({
  id: "backup.UpdateFramework",
  summary: "Changes the description and controls of a framework",
  description:
    "Controls replace the earlier ones and are evaluated soon by a job. Refused with a conflict while an evaluation for an earlier change is pending.",
  method: "PUT",
  path: "/audit/frameworks/{frameworkName}",
  permission: "backup:UpdateFramework",
  params,
  body: Type.Object({
    FrameworkDescription: Type.Optional(wire.AuditDescription),
    FrameworkControls: Type.Optional(wire.Controls),
    IdempotencyToken: Type.Optional(wire.IdempotencyToken),
  }),
  answers: { 200: wire.FrameworkChanged },
  errors: [
    errors.notFound,
    errors.alreadyExists,
    errors.limitExceeded,
    errors.invalidParameterValue,
    errors.conflict,
  ],
  resource: namedFramework,
  async handle({ params: { frameworkName: name }, body }, context) {
    const { db, account, request } = context;
    const framework = await store.getFramework(db, account, request.region, name);
    const answered = {
      FrameworkName: name,
      FrameworkArn: frameworkArnOf(account, request.region, name),
      CreationTime: wire.timeOf(framework.created_at),
    };
    const token = body.IdempotencyToken;
    if (token !== undefined && framework.token === token) return answered;
    checkAtRest(framework);
    const controls = body.FrameworkControls && wire.controlsOf(body.FrameworkControls);
    if (controls) await checkRoom(context, controls, name);
    await store.changeFramework(db, account, framework, {
      ...(body.FrameworkDescription !== undefined && { description: body.FrameworkDescription }),
      ...(controls && { controls: JSON.stringify(controls) }),
      ...(token !== undefined && { token }),
      deployment_status: "UPDATE_IN_PROGRESS",
    });
    await evaluateSoon(context, framework);
    return answered;
  },
});

const deleteFramework = operation({
  id: "backup.DeleteFramework",
  summary: "Deletes a framework with its findings",
  description:
    "Refused while a report plan reports on it, or while a change is pending. Reports that were written stay.",
  method: "DELETE",
  path: "/audit/frameworks/{frameworkName}",
  permission: "backup:DeleteFramework",
  params,
  answers: { 200: wire.Nothing },
  errors: [errors.notFound, errors.conflict],
  resource: namedFramework,
  async handle({ params: { frameworkName: name } }, context) {
    const { db, account, request } = context;
    const framework = await store.getFramework(db, account, request.region, name);
    checkAtRest(framework);
    const arn = frameworkArnOf(account, request.region, name);
    const user = await store.findReportPlanOnFramework(db, account, request.region, arn);
    if (user) throw errors.conflict(`The report plan ${user.name} reports on the framework ${name}.`);
    await forgetEvaluation(context, framework);
    await store.deleteFramework(db, account, request.region, name);
    await context.catalog.remove(arn);
    return {};
  },
});

const listFrameworks = operation({
  id: "backup.ListFrameworks",
  summary: "Lists frameworks by name",
  description: "Controls are left out; read them with `backup.DescribeFramework`.",
  method: "GET",
  path: "/audit/frameworks",
  permission: "backup:ListFrameworks",
  query: Type.Object(wire.capitalPage),
  answers: {
    200: Type.Object({
      Frameworks: Type.Array(wire.FrameworkListMember),
      NextToken: Type.Optional(wire.NextToken),
    }),
  },
  errors: [errors.invalidParameterValue],
  async handle({ query }, { db, account, request, pages }) {
    const { rows, nextToken } = await pages.of(
      pageRequestOf(query, {}),
      (framework: store.Framework) => [framework.name],
      (after, limit) => store.listFrameworks(db, account, request.region, { after: after?.[0] ?? "", limit }),
    );
    return {
      Frameworks: rows.map((framework) => ({
        FrameworkName: framework.name,
        FrameworkArn: frameworkArnOf(account, framework.region, framework.name),
        ...(framework.description !== null && { FrameworkDescription: framework.description }),
        NumberOfControls: framework.controls.length,
        CreationTime: wire.timeOf(framework.created_at),
        DeploymentStatus: framework.deployment_status,
      })),
      ...(nextToken !== undefined && { NextToken: nextToken }),
    };
  },
});

export const frameworkOperations = [
  createFramework,
  describeFramework,
  updateFramework,
  deleteFramework,
  listFrameworks,
];
