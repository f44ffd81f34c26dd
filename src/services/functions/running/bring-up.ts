/** Everything that is needed to bring a revision up, read from the database. */
import type { Context } from "#kernel/operation";
import { findRuntime } from "../domain/index.ts";
import { findRevision, type Revision, type ServedFunction } from "../store/index.ts";
import type { Tables } from "../tables.ts";
import type { Bringing } from "./running.ts";
import { readSecrets } from "./secrets.ts";

type Reader = Pick<Context<Tables>, "db" | "account" | "secrets" | "blobs">;

export async function bringingOf(
  context: Reader,
  { slug, functionId, project }: Pick<ServedFunction, "slug" | "functionId" | "project">,
  { revision, definition, blobId, dependenciesBlobId }: Revision,
): Promise<Bringing> {
  const runtime = findRuntime(definition.buildConfig.runtime ?? "");
  return {
    account: context.account,
    slug,
    functionId,
    revision,
    language: runtime?.language ?? "nodejs",
    definition,
    ...(await readSecrets(context, project, definition)),
    source: () => context.blobs.chunks(blobId),
    ...(dependenciesBlobId !== undefined && {
      dependencies: () => context.blobs.chunks(dependenciesBlobId),
    }),
  };
}
export async function bringingOfServed(
  context: Reader,
  served: ServedFunction,
  name: string,
): Promise<Bringing> {
  const revision = await findRevision(context.db, context.account, served.slug, name);
  if (!revision) throw new Error(`the revision ${name} of ${served.slug} is gone`);
  return bringingOf(context, served, revision);
}
