/** The public roles and their permissions. */
const VIEW = [
  "cloudfunctions.functions.get",
  "cloudfunctions.functions.list",
  "cloudfunctions.locations.get",
  "cloudfunctions.locations.list",
  "cloudfunctions.operations.get",
  "cloudfunctions.operations.list",
  "cloudfunctions.runtimes.list",
] as const;
const INVOKE = "cloudfunctions.functions.invoke";
const DEVELOP = [
  ...VIEW,
  INVOKE,
  "cloudfunctions.functions.create",
  "cloudfunctions.functions.update",
  "cloudfunctions.functions.delete",
  "cloudfunctions.functions.sourceCodeGet",
  "cloudfunctions.functions.sourceCodeSet",
  "cloudfunctions.functions.getIamPolicy",
] as const;
const ADMINISTER = [...DEVELOP, "cloudfunctions.functions.setIamPolicy"] as const;

export const ROLES: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    "roles/cloudfunctions.admin": ADMINISTER,
    "roles/cloudfunctions.developer": DEVELOP,
    "roles/cloudfunctions.viewer": VIEW,
    "roles/cloudfunctions.invoker": [INVOKE],
    "roles/run.invoker": [INVOKE],
    "roles/owner": ADMINISTER,
    "roles/editor": DEVELOP,
    "roles/viewer": VIEW,
  } as Record<string, readonly string[]>).map(([role, permissions]) => [role, new Set(permissions)]),
);
export const PERMISSIONS: ReadonlySet<string> = new Set(ADMINISTER);
export { INVOKE as INVOKE_PERMISSION };
