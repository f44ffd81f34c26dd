/**
 * Pages that others made, under the name of this host: a function or a backend may answer anything, and its scripts must not
 * act as whoever is signed in here. By a host name of their own they are their own masters.
 */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";

/** Its scripts run, but in an origin that is nobody's: without our cookies, and without reading our answers. */
const POLICY =
  "sandbox allow-scripts allow-forms allow-popups allow-modals allow-downloads allow-top-navigation-by-user-activation";
const NAME = "content-security-policy";

/** As browsers ask for what they open, and programs do not. */
export const wantsPage = ({ headers }: Pick<IncomingMessage, "headers">): boolean =>
  headers.accept?.includes("text/html") === true || headers["sec-fetch-mode"] === "navigate";

type Head = readonly string[] | OutgoingHttpHeaders;
/** Beside whatever policy is given: browsers hold a page to all of them. */
export function shutIn(response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response) as (status: number, head: Head) => ServerResponse;
  const value = (status: number, head: Head = []) =>
    writeHead(status, Array.isArray(head) ? [...head, NAME, POLICY] : { ...head, [NAME]: POLICY });
  Object.defineProperty(response, "writeHead", { value });
}
