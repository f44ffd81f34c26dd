/**
 * Sends actions. All are recorded in the outbox; some are delivered to an endpoint, a function or an input.
 */
import { arnOf, makersName, parseArn } from "#kernel/arn";
import { functionInvocations } from "#ports/function-invocations";
import type { OutgoingAction, OutgoingKind } from "../domain/index.ts";
import { storable } from "../domain/storable.ts";
import type { EventsContext } from "../state.ts";
import { findEndpoint } from "../store/index.ts";
import type { ModelRow } from "../tables.ts";
import { Acceptance } from "./accept.ts";
import { askForEvaluation } from "./wake.ts";

/** Limit of actions in a chain from input to input. A longer chain counts as a cycle. */
const DEPTH_MAX = 10;

export type Sent = {
  readonly action: OutgoingAction;
  readonly depth: number;
  readonly model: ModelRow;
  readonly key: string;
  readonly spelling: string | null;
};
export type Failed = { readonly sent: Sent; readonly text: string };

const OUTBOX_KIND: Readonly<Record<Exclude<OutgoingKind, "input">, string>> = {
  notification: "topic",
  topic: "topic",
  function: "function",
  queue: "queue",
  deliveryStream: "stream",
  table: "table",
  tableItem: "table",
  assetProperty: "asset-property",
  mail: "mail",
  text: "text",
};

/** `https://queues…/123456789012/orders` is the queue `orders` of that account. */
function queueArnOf(url: string, region: string, account: string): string {
  const [owner = account, name = url] = url.split("/").slice(-2);
  return arnOf({ service: "sqs", region, account: owner, resource: name });
}
/** The ARN of the target. A target without an ARN belongs to this account and region. */
function targetOf({ action: { kind, target }, model: { account, region } }: Sent): string {
  const own = (service: string, resource: string) => arnOf({ service, region, account, resource });
  if (parseArn(target)) return target;
  switch (kind) {
    case "topic":
      return own("iot", `topic/${target}`);
    case "queue":
      return queueArnOf(target, region, account);
    case "deliveryStream":
      return own("firehose", `deliverystream/${target}`);
    case "table":
    case "tableItem":
      return own("dynamodb", `table/${target}`);
    case "assetProperty":
      return own("iotsitewise", `property/${target}`);
    default:
      return target;
  }
}

async function sendOut(context: EventsContext, sent: Sent): Promise<void> {
  const { action, model, key, spelling } = sent;
  const arn = storable(targetOf(sent));
  const target = spelling === null ? arn : makersName(arn);
  const body = storable(action.body);
  const headers: Record<string, string> = { model: model.name, place: action.place };
  if (key !== "") headers.key = key;
  for (const [name, value] of Object.entries(action.details ?? {}))
    if (value !== undefined)
      headers[name] = storable(typeof value === "string" ? value : JSON.stringify(value));
  const { subject = `${model.name} ${key}`.trim(), ...others } = headers;
  await context.outbox.send({
    kind: OUTBOX_KIND[action.kind as keyof typeof OUTBOX_KIND],
    target,
    subject,
    headers: others,
    body,
  });
  if (action.kind === "function")
    await context.port(functionInvocations).invoke(context, { functionArn: arn, payload: body });
  const endpoint = await findEndpoint(context.db, context.account, arn);
  if (endpoint)
    await context.outbox.send({
      kind: "webhook",
      target: endpoint.url,
      subject,
      headers: { "x-destination": encodeURI(target) },
      body,
      deliver: { secret: context.secrets.open(endpoint.secret) },
    });
}

/** Why nothing is sent on. Otherwise models that send several messages for each one would fill the queue. */
function findObstacle({ account, state }: EventsContext, depth: number): string | undefined {
  if (depth >= DEPTH_MAX)
    return `It went from input to input ${DEPTH_MAX} times: the models call each other in a circle.`;
  return state.evaluators.isOverloaded(account)
    ? "Too many messages wait for their evaluation: the models may send several for each one."
    : undefined;
}

/** Sends to inputs of the same account and region. Returns failures with their reasons. */
async function sendToInputs(context: EventsContext, sent: readonly Sent[]): Promise<Failed[]> {
  const failed: Failed[] = [];
  const shards = new Set<number>();
  for (const region of new Set(sent.map(({ model }) => model.region))) {
    const acceptance = new Acceptance(context, region);
    for (const one of sent.filter(({ model }) => model.region === region)) {
      const { target, body } = one.action;
      const obstacle = findObstacle(context, one.depth);
      const refusal =
        obstacle !== undefined
          ? { message: obstacle }
          : await acceptance.add({
              messageId: context.ids.sortable(),
              inputName: target,
              text: body,
              sentAtMs: undefined,
              depth: one.depth + 1,
            });
      if (refusal) failed.push({ sent: one, text: `Nothing was sent to ${target}: ${refusal.message}` });
    }
    await acceptance.write();
    for (const shard of acceptance.shards) shards.add(shard);
  }
  if (shards.size > 0) await askForEvaluation(context);
  return failed;
}

export async function sendAll(context: EventsContext, sent: readonly Sent[]): Promise<Failed[]> {
  if (sent.length === 0) return [];
  for (const one of sent) if (one.action.kind !== "input") await sendOut(context, one);
  const toInputs = sent.filter(({ action }) => action.kind === "input");
  return toInputs.length === 0 ? [] : sendToInputs(context, toInputs);
}
