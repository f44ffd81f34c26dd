/**
 * Answers that others made, under the name of this host: a function or a backend may answer anything, and neither its headers
 * nor its scripts may act on whoever is signed in here. By a host name of their own pages are their own masters.
 */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { isHandedBack } from "../operation/passing-head.ts";

/** Its scripts run, but in an origin that is nobody's: without our cookies, and without reading our answers. */
const POLICY =
  "sandbox allow-scripts allow-forms allow-popups allow-modals allow-downloads allow-top-navigation-by-user-activation";
const NAME = "content-security-policy";

/** As browsers ask for what they open, and programs do not. */
export const wantsPage = ({ headers }: Pick<IncomingMessage, "headers">): boolean =>
  headers.accept?.includes("text/html") === true || headers["sec-fetch-mode"] === "navigate";

type Head = readonly string[] | OutgoingHttpHeaders;
type Shown = {
  /** Beside whatever policy is given; browsers hold a page to all of them. */
  readonly isPage: boolean;
  /** A browser has room for so many of a host: others' would push out those of whoever is signed in. */
  readonly mayKeepCookies: boolean;
};
export function shutIn(response: ServerResponse, { isPage, mayKeepCookies }: Shown): void {
  const writeHead = response.writeHead.bind(response) as (status: number, head: Head) => ServerResponse;
  const value = (status: number, head: Head = []) => {
    if (!Array.isArray(head)) return writeHead(status, isPage ? { ...head, [NAME]: POLICY } : head);
    const kept: string[] = [];
    for (let index = 0; index < head.length; index += 2)
      if (isHandedBack(head[index], head[index + 1], mayKeepCookies)) kept.push(head[index], head[index + 1]);
    if (isPage) kept.push(NAME, POLICY);
    return writeHead(status, kept);
  };
  Object.defineProperty(response, "writeHead", { value });
}
