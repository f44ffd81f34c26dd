/**
 * Answers of functions and backends under the name of this host. They may contain anything. Neither their headers
 * nor their scripts may act on the session of a person who is signed in here. Under their own host names, pages are
 * free.
 */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { isHandedBack } from "../operation/passing-head.ts";

/** Scripts run in an opaque origin: without our cookies, and without reading our answers. */
const POLICY =
  "sandbox allow-scripts allow-forms allow-popups allow-modals allow-downloads allow-top-navigation-by-user-activation";
const NAME = "content-security-policy";

/** The Accept header of browsers that open a page; programs do not send it. */
export const wantsPage = ({ headers }: Pick<IncomingMessage, "headers">): boolean =>
  headers.accept?.includes("text/html") === true || headers["sec-fetch-mode"] === "navigate";

type Head = readonly string[] | OutgoingHttpHeaders;
type Shown = {
  /** The policy is added to the given one. Browsers enforce all of them. */
  readonly isPage: boolean;
  /** Browsers limit the cookies of a host, so foreign cookies could push out those of the console. */
  readonly mayKeepCookies: boolean;
};
export function shutIn(response: ServerResponse, { isPage, mayKeepCookies }: Shown): void {
  const writeHead = response.writeHead.bind(response) as (status: number, head: Head) => ServerResponse;
  const value = (status: number, head: Head = []) => {
    const given: readonly string[] = Array.isArray(head)
      ? head
      : Object.entries(head).flatMap(([name, text]) => [name, String(text)]);
    const kept: string[] = [];
    for (let index = 0; index < given.length; index += 2) {
      const [name = "", text = ""] = [given[index], given[index + 1]];
      if (isHandedBack(name, text, mayKeepCookies)) kept.push(name, text);
    }
    if (isPage) kept.push(NAME, POLICY);
    return writeHead(status, kept);
  };
  Object.defineProperty(response, "writeHead", { value });
}
