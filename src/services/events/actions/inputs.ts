/** Creates, updates and deletes inputs, for operations, seed and restore. */
import { inputArnOf, TYPE } from "../domain/arns.ts";
import { errors } from "../errors.ts";
import { modelsReading, planInputChange } from "../jobs/index.ts";
import type { EventsContext } from "../state.ts";
import * as store from "../store/index.ts";
import type { InputRow } from "../tables.ts";
import { checkTags, tagsOf } from "./checks.ts";

const INPUTS_MAX = 1000;
type Definition = { attributes: { jsonPath: string }[] };
const pathsOf = ({ attributes }: Definition): string =>
  JSON.stringify([...new Set(attributes.map(({ jsonPath }) => jsonPath))]);

export type NewInput = {
  readonly inputName: string;
  readonly inputDescription?: string | undefined;
  readonly inputDefinition: Definition;
  readonly tags?: { key: string; value: string }[] | undefined;
};
/** Creates the input as CREATING. A job makes it ACTIVE. */
export async function addInput(context: EventsContext, region: string, wanted: NewInput): Promise<InputRow> {
  const { db, account, clock } = context;
  const { inputName: name, inputDescription, inputDefinition, tags = [] } = wanted;
  checkTags(tags);
  if ((await store.countInputs(db, account, region)) >= INPUTS_MAX)
    throw errors.limitExceeded(`An account can have ${INPUTS_MAX} inputs in a region.`);
  const nowMs = clock.nowMs();
  const row: InputRow = {
    account,
    region,
    name,
    description: inputDescription ?? null,
    attributes: pathsOf(inputDefinition),
    status: "CREATING",
    created_at: nowMs,
    updated_at: nowMs,
  };
  const arn = inputArnOf(account, region, name);
  if (!(await store.insertInput(db, row)))
    throw errors.alreadyExists(`There is an input ${name} already.`, {
      fields: { resourceId: name, resourceArn: arn },
    });
  await context.catalog.put({ arn, type: TYPE.input, name, region, tags: tagsOf(tags) });
  await planInputChange(context, region, name);
  return row;
}
/** A job pauses models that the changed input no longer fits. */
export async function changeInput(
  context: EventsContext,
  region: string,
  { inputName, inputDescription, inputDefinition }: Omit<NewInput, "tags">,
): Promise<InputRow> {
  const { db, account, clock } = context;
  const input = await store.getInput(db, account, region, inputName);
  if (input.status === "DELETING") throw errors.inUse(`The input ${inputName} is being deleted.`);
  const row: InputRow = {
    ...input,
    description: inputDescription ?? null,
    attributes: pathsOf(inputDefinition),
    status: "UPDATING",
    updated_at: clock.nowMs(),
  };
  await store.updateInput(db, row);
  await planInputChange(context, region, inputName);
  return row;
}
export async function removeInput(context: EventsContext, region: string, inputName: string): Promise<void> {
  const { db, account, clock } = context;
  const input = await store.getInput(db, account, region, inputName);
  const [reader] = await modelsReading(context, region, inputName);
  if (reader) throw errors.inUse(`The input ${inputName} is read by the model ${reader.name}.`);
  await store.updateInput(db, { ...input, status: "DELETING", updated_at: clock.nowMs() });
  await context.catalog.remove(inputArnOf(account, region, inputName));
  await planInputChange(context, region, inputName);
}
