/** Detects the traffic of the console itself, which is hidden among other requests. */

/** The credential kind of a console session. */
export const CONSOLE_SESSION = "session";
const PAGES: ReadonlySet<string> = new Set(["console", "root"]);
const SIGNING_IN = "medley.session.";
/** Public operations carry no credential: then the console identifies itself by this header. */
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
