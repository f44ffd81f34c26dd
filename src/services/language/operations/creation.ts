/** New applications and versions, empty or with all that they say. */
import { type Application, PUBLISH_SETTINGS, SETTINGS, type Version } from "../domain/application.ts";
import type { VersionContent } from "../domain/content.ts";
import {
  APPLICATIONS_MAX,
  checkLength,
  checkRoom,
  checkVersionName,
  DESCRIPTION_LENGTH_MAX,
  NAME_LENGTH_MAX,
  VERSIONS_MAX,
} from "../domain/limits.ts";
import { NONE } from "../domain/models.ts";
import { errors } from "../errors.ts";
import { showInCatalog } from "../jobs/applications.ts";
import type { LanguageContext } from "../state.ts";
import { countApplications, findApplicationByName, insertApplication } from "../store/applications.ts";
import { writeContent } from "../store/content.ts";
import { countVersions, findVersion, insertVersion } from "../store/versions.ts";

export async function checkApplicationName(
  { db, account }: LanguageContext,
  name: string,
  id?: string,
): Promise<string> {
  const given = name.trim();
  if (given === "") throw errors.badArgument("The name of the application must be given.");
  checkLength("name of the application", given, NAME_LENGTH_MAX);
  const found = await findApplicationByName(db, account, given);
  if (found && found.id !== id)
    throw errors.badArgument(`There is an application with the name ${given} already.`);
  return given;
}

export type NewApplicationWords = Pick<
  Application,
  "name" | "culture" | "tokenizerVersion" | "description" | "domain" | "usageScenario"
>;

export async function createApplication(
  context: LanguageContext,
  words: NewApplicationWords,
  versionName: string,
  content: VersionContent | undefined,
): Promise<Application> {
  const { db, account, clock, ids } = context;
  const name = await checkApplicationName(context, words.name);
  checkLength("description", words.description, DESCRIPTION_LENGTH_MAX);
  checkRoom("applications in an account", (await countApplications(db, account)) + 1, APPLICATIONS_MAX);
  const application: Application = {
    id: ids.uuid(),
    ...words,
    name,
    activeVersion: checkVersionName(versionName),
    isPublic: false,
    publishSettings: PUBLISH_SETTINGS,
    hits: 0,
    createdAtMs: clock.nowMs(),
  };
  await insertApplication(db, account, application);
  await showInCatalog(context, application);
  await createVersion(context, application, versionName, content);
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

/** The numbers in the content are lower than the first that is given out. */
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

export async function createVersion(
  { db, account, clock, ids }: LanguageContext,
  { id: application, culture, tokenizerVersion }: Application,
  wanted: string,
  given?: VersionContent,
): Promise<Version> {
  const name = checkVersionName(wanted);
  if (await findVersion(db, account, application, name))
    throw errors.badArgument(`The application has a version ${name} already.`);
  checkRoom("versions of an application", (await countVersions(db, account, application)) + 1, VERSIONS_MAX);
  const content = given ?? emptyContent(culture, tokenizerVersion, ids.uuid());
  const nowMs = clock.nowMs();
  const version: Version = {
    application,
    name,
    uid: ids.uuid(),
    settings: content.settings,
    revision: 1,
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
  await writeContent(db, account, version, content);
  return version;
}
