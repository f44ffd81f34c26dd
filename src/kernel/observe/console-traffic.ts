/** What is the console's own traffic, which nobody wants to see among their own. */

/** The kind of credential that a session at the console is. */
export const CONSOLE_SESSION = "session";
const PAGES: ReadonlySet<string> = new Set(["console", "root"]);
const SIGNING_IN = "medley.session.";

export const isConsoleTraffic = (
  credentialKind: string,
  service: string,
  operation: { readonly id: string } | undefined,
): boolean =>
  credentialKind === CONSOLE_SESSION || PAGES.has(service) || operation?.id.startsWith(SIGNING_IN) === true;
