/** Validation of application names. */
import { checkLength, NAME_LENGTH_MAX } from "../domain/limits.ts";
import { errors } from "../errors.ts";
import type { LanguageContext } from "../state.ts";
import { findApplicationByName } from "../store/applications.ts";

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
