/** Operations for group configurations. */
import { Type } from "@sinclair/typebox";
import { answer, noBody } from "#kernel/operation";
import { checkConfiguration, parseQuery, sameConfiguration } from "../domain/index.ts";
import { errors } from "../errors.ts";
import { applyConfiguration, configurationKeyOf } from "../jobs/index.ts";
import { saveGroup } from "../store/index.ts";
import * as wire from "../wire.ts";
import { getNamedGroup, namedGroup, operation } from "./operation.ts";

const getGroupConfigurationOperation = operation({
  id: "resource-groups.GetGroupConfiguration",
  summary: "Returns the configuration of a group and the status of its change",
  description:
    "UPDATING while a change is being applied, then UPDATE_COMPLETE or UPDATE_FAILED with the reason. A group without configuration gives BadRequest.",
  method: "POST",
  path: "/get-group-configuration",
  permission: "resource-groups:GetGroupConfiguration",
  transaction: "read",
  body: Type.Object({ Group: Type.Optional(wire.GroupText) }),
  answers: { 200: Type.Object({ GroupConfiguration: wire.GroupConfigurationView }) },
  errors: [errors.badRequest, errors.notFound],
  examples: { body: { Group: "build-hosts" } },
  resource: namedGroup,
  async handle({ body }, context) {
    const group = await getNamedGroup(context, body);
    if (group.configurationStatus === undefined)
      throw errors.badRequest(`The group ${group.name} has no configuration.`);
    return { GroupConfiguration: wire.configurationViewOf(group) };
  },
});

const putGroupConfigurationOperation = operation({
  id: "resource-groups.PutGroupConfiguration",
  summary: "Replaces the configuration of a group",
  description:
    "202: a job applies it after `--provisioning-seconds`; poll `resource-groups.GetGroupConfiguration`. It fails if a member does not fit. 200: the group has it already. Refused while another change is being applied.",
  method: "POST",
  path: "/put-group-configuration",
  permission: "resource-groups:PutGroupConfiguration",
  body: Type.Object({
    Group: Type.Optional(wire.GroupText),
    Configuration: Type.Optional(wire.ConfigurationList),
  }),
  answers: { 200: noBody, 202: noBody },
  errors: [errors.badRequest, errors.notFound],
  resource: namedGroup,
  async handle({ body }, context) {
    const group = await getNamedGroup(context, body);
    const proposed = wire.configurationOf(body.Configuration ?? []);
    checkConfiguration(proposed, group.query && parseQuery(group.query));
    if (group.configurationStatus === "UPDATING")
      throw errors.badRequest(
        `The configuration of the group ${group.name} is being updated; wait for that.`,
      );
    const isInEffect =
      group.configurationStatus !== "UPDATE_FAILED" && sameConfiguration(group.configuration ?? [], proposed);
    if (isInEffect) return answer(200);
    const { failureReason: _ended, ...rest } = group;
    await saveGroup(
      context.db,
      context.account,
      { ...rest, proposed, configurationStatus: "UPDATING" },
      context.clock.nowMs(),
    );
    const { region, name, uniqueId } = group;
    await context.enqueue(
      applyConfiguration,
      { region, name, uniqueId },
      {
        key: configurationKeyOf(context.account, group),
        runAtMs: context.clock.nowMs() + context.config.provisioningSeconds * 1000,
      },
    );
    return answer(202);
  },
});

export const configurationOperations = [getGroupConfigurationOperation, putGroupConfigurationOperation];
