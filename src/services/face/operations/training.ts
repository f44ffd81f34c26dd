/** Training of groups and large lists. */
import { answer, noBody, type Operation } from "#kernel/operation";
import { kinds, type TrainedKind, trainingErrors } from "../domain/containers.ts";
import { isLater, statusFor } from "../domain/versions.ts";
import { askForTraining } from "../jobs/train.ts";
import { TrainingView, trainingViewOf } from "../wire/containers.ts";
import { getContainer, operation, wordsOf } from "./lookup.ts";

export function trainingOperations(kind: TrainedKind): Operation[] {
  const { words, one, id, permission, params, refOf } = wordsOf(kind);
  return [
    operation({
      id: id("train"),
      summary: `Trains a ${words} with its present faces`,
      description: `Returns at once; a job trains. Poll \`${id("training")}\`. Until it has ended, searches use the earlier training. Faces that are added later need another training.`,
      method: "POST",
      path: `${one}/train`,
      permission: permission("Train"),
      params,
      answers: { 202: noBody },
      errors: [kinds[kind].notFound],
      async handle({ params: named }, context) {
        const ref = refOf(named);
        await askForTraining(context, await getContainer(context, ref));
        const { mountUrl } = context.request;
        const status = `${mountUrl}${one.replace(/\{\w+\}/, ref.id)}/training`;
        return answer(202, undefined, isLater(context) ? { "operation-location": status } : {});
      },
    }),
    operation({
      id: id("training"),
      summary: `Returns the status of the training of a ${words}`,
      description:
        "Not started, running, succeeded, or failed with a message; an error if it was never trained.",
      method: "GET",
      path: `${one}/training`,
      permission: permission("Get", "Training"),
      params,
      answers: { 200: TrainingView },
      errors: [kinds[kind].notFound, trainingErrors[kind].neverTrained],
      async handle({ params: named }, context) {
        const container = await getContainer(context, refOf(named));
        if (!container.training)
          throw trainingErrors[kind].neverTrained(`The ${words} '${container.id}' was never trained.`);
        const view = trainingViewOf(container.training, container);
        return { ...view, status: statusFor(context, view.status) };
      },
    }),
  ];
}
