/** Applications come and go here, and in the catalogue at the same time. */
import { EVERY_REGION } from "#kernel/catalog";
import type { Application, Version } from "../domain/application.ts";
import { APPLICATION_TYPE, applicationArnOf } from "../domain/arns.ts";
import type { LanguageContext } from "../state.ts";
import { deleteApplication } from "../store/applications.ts";
import { listPublished } from "../store/published.ts";
import { deleteVersion, listVersions } from "../store/versions.ts";
import { takeContentAway } from "./large-content.ts";
import { dropModel, takeBackTraining } from "./training.ts";

/** When it is made, and whenever its name has changed. */
export const showInCatalog = (
  { account, catalog }: LanguageContext,
  { id, name }: Application,
  tags: Readonly<Record<string, string>> = {},
): Promise<void> =>
  catalog.put({
    arn: applicationArnOf(account, id),
    type: APPLICATION_TYPE,
    name,
    region: EVERY_REGION,
    nativeId: id,
    tags,
  });

/** The caller must drop the model when no slot uses it. */
export async function removeVersion(context: LanguageContext, version: Version): Promise<void> {
  await takeBackTraining(context, version);
  await deleteVersion(context.db, context.account, version.uid);
  await takeContentAway(context, version.uid);
}

const VERSIONS_AT_ONCE = 1_000;
/** Deletes the content and the models of all versions, but not the application. */
export async function clearVersions(context: LanguageContext, { id }: Application): Promise<string[]> {
  const { db, account } = context;
  const versions = await listVersions(db, account, id, { skip: 0, take: VERSIONS_AT_ONCE });
  for (const version of versions) await removeVersion(context, version);
  return versions.flatMap(({ trainedBlob }) => (trainedBlob === undefined ? [] : [trainedBlob]));
}

/** With all of its versions. */
export async function removeApplication(context: LanguageContext, application: Application): Promise<void> {
  const { db, account, catalog } = context;
  const published = await listPublished(db, account, application.id);
  const trained = await clearVersions(context, application);
  await deleteApplication(db, account, application.id);
  await catalog.remove(applicationArnOf(account, application.id));
  for (const blob of new Set([...published.map(({ blob }) => blob), ...trained]))
    await dropModel(context, blob);
}
