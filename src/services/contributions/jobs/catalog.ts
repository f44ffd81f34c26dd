/** Assignments in the catalogue, where other services find them. */
import { EVERY_REGION } from "#kernel/catalog";
import { ASSIGNMENT_TYPE, assignmentArnOf } from "../domain/arns.ts";
import type { ContributionsContext } from "../state.ts";
import type { AssignmentRow } from "../tables/index.ts";

/** Call it when an assignment is created or renamed. Without `tags`, the tags in the catalogue stay. */
export async function showInCatalog(
  { account, catalog }: ContributionsContext,
  { id, name }: Pick<AssignmentRow, "id" | "name">,
  given?: Readonly<Record<string, string>>,
): Promise<void> {
  const arn = assignmentArnOf(account, id);
  const tags = given ?? (await catalog.find(arn))?.tags ?? {};
  await catalog.put({ arn, type: ASSIGNMENT_TYPE, name, region: EVERY_REGION, nativeId: id, tags });
}
