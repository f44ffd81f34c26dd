/**
 * Reads, writes and deletes the content of large versions in steps, so that other transactions can run in between.
 * The content of a new version is written before the version row. It is invisible until the last step inserts that row.
 * A job deletes content whose version was never created or was deleted.
 */
import { Type } from "@sinclair/typebox";
import { jobsFor } from "#kernel/operation";
import { type Application, FIRST_REVISION, type Version } from "../domain/application.ts";
import type { VersionContent } from "../domain/content.ts";
import type { LanguageContext, State } from "../state.ts";
import { findApplication } from "../store/applications.ts";
import { contentSteps, deleteSomeContent, readContent } from "../store/content.ts";
import { findVersionByUid } from "../store/versions.ts";
import type { Tables } from "../tables.ts";

const DAY_MS = 86_400_000;
/** With as few of them it is written by the last step itself. */
const STEPS_MIN = 8;

const clearJob = jobsFor<Tables, State>()({
  name: "language.clear-content",
  payload: Type.Object({ version: Type.String() }),
  transaction: "manual",
  run: ({ version }, context) => clear(context, version),
});
export const largeContentJobs = [clearJob];
const keyOf = (uid: string): string => `clear:${uid}`;

async function clear(context: LanguageContext, uid: string): Promise<void> {
  const some = ({ db, account }: LanguageContext): Promise<boolean> =>
    findVersionByUid(db, account, uid).then((version) => !version && deleteSomeContent(db, account, uid));
  while (await context.transact(some));
}

/** Of a version that is deleted by the same transaction. */
export async function takeContentAway(context: LanguageContext, uid: string): Promise<void> {
  await context.enqueue(clearJob, { version: uid }, { key: keyOf(uid) });
}

/** For a version that is restored under its earlier uid: deletes the leftover content immediately. */
export async function forgetContent(context: LanguageContext, uid: string): Promise<void> {
  await context.cancelJob(clearJob, keyOf(uid));
  while (await deleteSomeContent(context.db, context.account, uid));
}

const READ_ATTEMPTS = 3;
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
export type VersionRead = {
  readonly application: Application;
  readonly version: Version;
  readonly content: VersionContent;
};
async function read(
  { db, account }: LanguageContext,
  uid: string,
  betweenPages?: () => Promise<void>,
): Promise<VersionRead | undefined> {
  const version = await findVersionByUid(db, account, uid);
  const application = version && (await findApplication(db, account, version.application));
  if (!version || !application) return undefined;
  return {
    application,
    version,
    content: await readContent(db, account, application, version, betweenPages),
  };
}
/**
 * A consistent snapshot of the content. If the version keeps changing during the read, it falls back to one
 * transaction that blocks writers.
 */
export async function readVersion(context: LanguageContext, uid: string): Promise<VersionRead | undefined> {
  for (let attempt = 0; attempt < READ_ATTEMPTS; attempt += 1) {
    const found = await read(context, uid, nextTurn);
    if (!found) return undefined;
    const after = await findVersionByUid(context.db, context.account, uid);
    if (after?.revision === found.version.revision) return found;
  }
  return context.transact((inside) => read(inside, uid));
}

/**
 * The content of a new version. `uid`: set if the content was already written under the version's future
 * uid.
 */
export type NewContent = { readonly content: VersionContent; readonly uid?: string };

/** `make` makes the version, in a transaction. */
export async function withContent<T>(
  context: LanguageContext,
  content: VersionContent,
  make: (inside: LanguageContext, given: NewContent) => Promise<T>,
): Promise<T> {
  const uid = context.ids.uuid();
  const steps = contentSteps(context.account, { uid, revision: FIRST_REVISION }, content);
  if (steps.length < STEPS_MIN) return context.transact((inside) => make(inside, { content }));
  await context.transact((inside) =>
    inside.enqueue(clearJob, { version: uid }, { key: keyOf(uid), runAtMs: context.clock.nowMs() + DAY_MS }),
  );
  try {
    await context.state.imports.during(context, "Content of a version, in steps", async (reach) => {
      for (const [done, step] of steps.entries()) {
        reach({ done, of: steps.length });
        await context.transact(({ db }) => step(db));
      }
    });
    return await context.transact(async (inside) => {
      // If the cleanup has already started, the content is written again.
      const isThere = await inside.cancelJob(clearJob, keyOf(uid));
      return make(inside, isThere ? { content, uid } : { content });
    });
  } catch (error) {
    await clear(context, uid);
    await context.transact((inside) => inside.cancelJob(clearJob, keyOf(uid)));
    throw error;
  }
}
