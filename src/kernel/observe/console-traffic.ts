/** What is the console's own traffic, which nobody wants to see among their own. */

/** The kind of credential that a session at the console is. */
export const CONSOLE_SESSION = "session";
const PAGES: ReadonlySet<string> = new Set(["console", "root"]);
const SIGNING_IN = "medley.session.";
/** What is open to all is asked without a credential: the console says then that it is the one who asks. */
const CONSOLE_HEADER = "x-medley-console";

export const isConsoleTraffic = (
  credentialKind: string,
  service: string,
  operation: { readonly id: string } | undefined,
  headers: Readonly<Record<string, unknown>>,
): boolean =>
  credentialKind === CONSOLE_SESSION ||
  PAGES.has(service) ||
  operation?.id.startsWith(SIGNING_IN) === true ||
  headers[CONSOLE_HEADER] !== undefined;
