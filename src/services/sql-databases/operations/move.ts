/** Rename: a database gets another name on the same server. */
import { answer, type Context } from "#kernel/operation";
import {
  findById,
  isIdOfType,
  keyOf,
  type ManagedResource,
  parseResourceId,
  renameResource,
} from "#kernel/resource-provider";
import { DATABASE_TYPE, type DatabaseProperties } from "../domain/database.ts";
import { databaseNameProblem } from "../domain/settings.ts";
import { errors } from "../errors.ts";
import { useDatabase } from "../jobs/auto-pause.ts";
import { replicasOf } from "../jobs/replicas.ts";

const NAME = /^[^<>*%&:\\/?\p{Cc}]{1,128}$/u;

/** The new name. The target must be a database ID of the same server. */
function newNameOf(resource: ManagedResource<DatabaseProperties>, targetId: string): string {
  const target = parseResourceId(targetId);
  if (!target || !isIdOfType(targetId, DATABASE_TYPE))
    throw errors.invalidMoveTarget(`'${targetId.slice(0, 200)}' is not the identifier of a database.`, {
      target: "id",
    });
  const parts = keyOf(targetId).split("/");
  const own = resource.key.split("/");
  const differs = (position: number) => parts[position] !== own[position];
  if (differs(2))
    throw errors.mismatchingSubscription("The target lies in another subscription.", { target: "id" });
  if (differs(4))
    throw errors.mismatchingGroup("The target lies in another resource group.", { target: "id" });
  if (differs(8)) throw errors.mismatchingServer("The target lies on another server.", { target: "id" });
  return targetId.slice(targetId.lastIndexOf("/") + 1);
}

export async function moveDatabase(
  resource: ManagedResource<DatabaseProperties>,
  targetId: string,
  context: Context,
) {
  const name = newNameOf(resource, targetId);
  const problem = databaseNameProblem(name);
  if (problem) throw problem;
  if (!NAME.test(name) || name.endsWith("."))
    throw errors.invalidIdentifier(`'${name}' is not a name for a database.`, { target: "id" });
  if (name === resource.name)
    throw errors.invalidMove("The database has this name already.", { target: "id" });
  if (resource.properties.primaryKey !== undefined || (await replicasOf(resource, context)).length > 0)
    throw errors.inReplication("A database with a primary or secondaries cannot be renamed.");
  if (keyOf(targetId) !== resource.key && (await findById(context, targetId)))
    throw errors.nameInUse(`The name '${name}' is taken.`, { target: "id" });
  const renamed = await renameResource(context, resource as ManagedResource, name);
  await useDatabase(renamed as ManagedResource<DatabaseProperties>, context);
  return answer(200);
}
