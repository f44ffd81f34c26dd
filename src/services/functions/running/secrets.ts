/** The values of the secrets that a function's settings name. */

import type { Context } from "#kernel/operation";
import type { Definition } from "../domain/index.ts";
import { findSecretVersion } from "../store/index.ts";
import type { Tables } from "../tables.ts";

/** A secret that is named and not there. */
export class MissingSecret extends Error {}

type Reader = Pick<Context<Tables>, "db" | "account" | "secrets">;

async function secretOf(
  { db, account, secrets }: Reader,
  project: string,
  secret: string,
  version = "latest",
): Promise<string> {
  const sealed = await findSecretVersion(db, account, { project, secret }, version);
  if (sealed === undefined)
    throw new MissingSecret(`There is no version ${version} of the secret ${secret} in ${project}.`);
  return secrets.open(sealed);
}

export async function readSecrets(context: Reader, project: string, { serviceConfig }: Definition) {
  const secretVariables: Record<string, string> = {};
  for (const { key, secret, version } of serviceConfig.secretEnvironmentVariables ?? [])
    secretVariables[key] = await secretOf(context, project, secret, version);
  const secretFiles: Record<string, string> = {};
  for (const { mountPath, secret, versions = [] } of serviceConfig.secretVolumes ?? [])
    for (const { path = secret, version } of versions.length === 0 ? [{ path: secret }] : versions)
      secretFiles[`${mountPath.replace(/\/$/, "")}/${path}`] = await secretOf(
        context,
        project,
        secret,
        version,
      );
  return { secretVariables, secretFiles };
}
