/** How operations find the resources in their paths, and change the content of a version. */
import { operationsFor, type ServiceError } from "#kernel/operation";
import type { Application, Version } from "../domain/application.ts";
import { errors } from "../errors.ts";
import { readVersion, type VersionRead } from "../jobs/large-content.ts";
import type { LanguageContext, State } from "../state.ts";
import { findApplication } from "../store/applications.ts";
import { touchModels } from "../store/models.ts";
import { findVersion, findVersionUid, updateVersion } from "../store/versions.ts";
import type { Tables } from "../tables.ts";

export const operation = operationsFor<Tables, State>();

/** An operation's id and the permission it needs: `called("intents", "ListIntents")`. */
export const called = (group: string, action: string) => ({
  id: `language.${group}.${action[0]?.toLowerCase()}${action.slice(1)}`,
  permission: `language:${action}`,
});

export type VersionPath = { readonly appId: string; readonly versionId: string };
export type Place = { readonly application: Application; readonly version: Version };
/** The version whose content is meant. */
export type ContentPlace = { readonly version: Pick<Version, "uid"> };

export const noApplication = (id: string): ServiceError =>
  errors.badArgument(`Cannot find an application with the ID ${id}.`);
export async function getApplication(
  { db, account }: LanguageContext,
  { appId }: { readonly appId: string },
): Promise<Application> {
  const application = await findApplication(db, account, appId.toLowerCase());
  if (!application) throw noApplication(appId);
  return application;
}

const noVersion = ({ appId, versionId }: VersionPath): ServiceError =>
  errors.badArgument(`The application ${appId} has no version ${versionId}.`);
export async function getPlace(context: LanguageContext, path: VersionPath): Promise<Place> {
  const application = await getApplication(context, path);
  const version = await findVersion(context.db, context.account, application.id, path.versionId);
  if (!version) throw noVersion(path);
  return { application, version };
}
/** For operations that need only the content of the version. */
export async function getContentPlace(context: LanguageContext, path: VersionPath): Promise<ContentPlace> {
  const { db, account } = context;
  const uid = await findVersionUid(db, account, path.appId.toLowerCase(), path.versionId);
  return uid === undefined ? getPlace(context, path) : { version: { uid } };
}
/** The version with all content, for operations that open their own transactions. */
export async function getVersionRead(context: LanguageContext, path: VersionPath): Promise<VersionRead> {
  const { version } = await getPlace(context, path);
  const found = await readVersion(context, version.uid);
  if (!found) throw noVersion(path);
  return found;
}

/**
 * A change of a version's content. It allocates numbers, and records the models whose training data changed.
 */
export type Editing = Place & {
  readonly db: LanguageContext["db"];
  readonly account: string;
  /** The version's uid. */
  readonly uid: string;
  /** The revision that this change makes. */
  readonly revision: number;
  nextNumber(): number;
  /** Models that learn from something else now, by their names. */
  touch(...names: readonly string[]): void;
};

export async function edit<T>(
  context: LanguageContext,
  path: VersionPath,
  work: (editing: Editing) => Promise<T>,
): Promise<T> {
  const { db, account, clock } = context;
  const place = await getPlace(context, path);
  const { version } = place;
  const touched = new Set<string>();
  let number = version.nextNumber;
  const revision = version.revision + 1;
  const result = await work({
    ...place,
    db,
    account,
    uid: version.uid,
    revision,
    nextNumber() {
      number += 1;
      return number - 1;
    },
    touch: (...names) => {
      for (const name of names) touched.add(name);
    },
  });
  await touchModels(db, account, version.uid, [...touched], revision);
  await updateVersion(db, account, {
    ...version,
    revision,
    nextNumber: number,
    modifiedAtMs: clock.nowMs(),
  });
  return result;
}
