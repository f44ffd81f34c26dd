/** Creates and deletes lists and groups, together with their catalogue entries. */
import { EVERY_REGION } from "#kernel/catalog";
import { containerArnOf, RESOURCE_TYPES } from "../domain/arns.ts";
import type { Container } from "../domain/containers.ts";
import type { FaceContext } from "../state.ts";
import * as store from "../store/containers.ts";
import { free } from "./free.ts";
import { takeBackTraining } from "./train.ts";

type Tags = Readonly<Record<string, string>>;

/** Returns false if the ID exists. */
export async function addContainer(
  { db, account, catalog }: FaceContext,
  container: Container,
  tags: Tags = {},
): Promise<boolean> {
  if (!(await store.insertContainer(db, account, container))) return false;
  await catalog.put({
    arn: containerArnOf(account, container),
    type: RESOURCE_TYPES[container.kind],
    name: container.id,
    region: EVERY_REGION,
    tags,
  });
  return true;
}

/** Deletes a container with its contents. */
export async function removeContainer(context: FaceContext, container: Container): Promise<void> {
  const { db, account, catalog } = context;
  await store.deleteContainer(db, account, container);
  await catalog.remove(containerArnOf(account, container));
  await takeBackTraining(context, container);
  await free(context, container.uid);
}
