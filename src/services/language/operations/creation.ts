/** Creates applications and versions, empty or with content. */

import { checkApplicationName } from "../actions/application-names.ts";
import {
  type Application,
  FIRST_REVISION,
  PUBLISH_SETTINGS,
  SETTINGS,
  type Version,
} from "../domain/application.ts";
import type { VersionContent } from "../domain/content.ts";
import {
  APPLICATIONS_MAX,
  checkLength,
  checkRoom,
  checkVersionName,
  DESCRIPTION_LENGTH_MAX,
  VERSIONS_MAX,
} from "../domain/limits.ts";
import { NONE } from "../domain/models.ts";
import { errors } from "../errors.ts";
import { showInCatalog } from "../jobs/applications.ts";
import type { NewContent } from "../jobs/large-content.ts";
import type { LanguageContext } from "../state.ts";
import { countApplications, insertApplication, updateApplication } from "../store/applications.ts";
import { contentSteps } from "../store/content.ts";
import { countVersions, findVersion, insertVersion } from "../store/versions.ts";

export type NewApplicationWords = Pick<
  Application,
  "name" | "culture" | "tokenizerVersion" | "description" | "domain" | "usageScenario"
>;

/** Answers its name and that of its version. */
export async function checkNewApplication(
  context: LanguageContext,
  { name, description }: NewApplicationWords,
  versionName: string,
): Promise<{ readonly name: string; readonly activeVersion: string }> {
  const checked = await checkApplicationName(context, name);
  checkLength("description", description, DESCRIPTION_LENGTH_MAX);
  const count = await countApplications(context.db, context.account);
  checkRoom("applications in an account", count + 1, APPLICATIONS_MAX);
  return { name: checked, activeVersion: checkVersionName(versionName) };
}
export async function createApplication(
  context: LanguageContext,
  words: NewApplicationWords,
  versionName: string,
  given?: NewContent,
): Promise<Application> {
  const { db, account, clock, ids } = context;
  const application: Application = {
    id: ids.uuid(),
    ...words,
    ...(await checkNewApplication(context, words, versionName)),
    isPublic: false,
    publishSettings: PUBLISH_SETTINGS,
    hits: 0,
    createdAtMs: clock.nowMs(),
  };
  await insertApplication(db, account, application);
  await showInCatalog(context, application);
  await createVersion(context, application, versionName, given);
  return application;
}

const emptyContent = (culture: string, tokenizerVersion: string, noneId: string): VersionContent => ({
  culture,
  tokenizerVersion,
  settings: SETTINGS,
  intents: [{ id: noneId, name: NONE, features: [] }],
  entities: [],
  phraseLists: [],
  regexFeatures: [],
  patterns: [],
  utterances: [],
});

/** The first free number: higher than all numbers in the content. */
const firstNumberAfter = ({
  entities,
  phraseLists,
  regexFeatures,
  patterns,
  utterances,
  intents,
}: VersionContent): number =>
  1 +
  [
    intents.length + entities.length + patterns.length,
    ...phraseLists.map(({ id }) => id),
    ...regexFeatures.map(({ id }) => id),
    ...utterances.map(({ id }) => id),
    ...entities.flatMap((entity) => {
      if (entity.kind === "list") return entity.subLists.map(({ id }) => id);
      return entity.kind === "pattern-any" ? entity.explicitList.map(({ id }) => id) : [];
    }),
  ].reduce((most, id) => Math.max(most, id), 0);

/** Answers its name. */
export async function checkNewVersion(
  { db, account }: LanguageContext,
  { id: application }: Application,
  wanted: string,
): Promise<string> {
  const name = checkVersionName(wanted);
  if (await findVersion(db, account, application, name))
    throw errors.badArgument(`The application has a version ${name} already.`);
  checkRoom("versions of an application", (await countVersions(db, account, application)) + 1, VERSIONS_MAX);
  return name;
}
export async function createVersion(
  context: LanguageContext,
  application: Application,
  wanted: string,
  given?: NewContent,
): Promise<Version> {
  const { db, account, clock, ids } = context;
  const { culture, tokenizerVersion } = application;
  const name = await checkNewVersion(context, application, wanted);
  const content = given?.content ?? emptyContent(culture, tokenizerVersion, ids.uuid());
  const nowMs = clock.nowMs();
  const version: Version = {
    application: application.id,
    name,
    uid: given?.uid ?? ids.uuid(),
    settings: content.settings,
    revision: FIRST_REVISION,
    nextNumber: firstNumberAfter(content),
    hits: 0,
    trainingStatus: "none",
    trainingRevision: undefined,
    trainingFailure: undefined,
    trainedRevision: undefined,
    trainedAtMs: undefined,
    trainedBlob: undefined,
    publishedAtMs: undefined,
    createdAtMs: nowMs,
    modifiedAtMs: nowMs,
  };
  await insertVersion(db, account, version);
  if (given?.uid === undefined) for (const step of contentSteps(account, version, content)) await step(db);
  // A version that is cloned or imported is the one that is worked on from then.
  if (application.activeVersion !== name)
    await updateApplication(db, account, { ...application, activeVersion: name });
  return version;
}
