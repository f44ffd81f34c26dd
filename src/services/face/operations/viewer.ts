/** The page on which people look at what the service sees; it asks the interface with the key of whoever uses it. */
import { answer, anyone, media } from "#kernel/operation";
import { renderViewer } from "../viewer/page.ts";
import { operation } from "./lookup.ts";

export const VIEWER_PATH = "/viewer";

const showViewer = operation({
  id: "face.viewer",
  summary: "A page to drop pictures on, which shows faces, matches and the nearest persons",
  method: "GET",
  path: VIEWER_PATH,
  permission: anyone,
  tags: ["addition"],
  answers: { 200: media("text/html") },
  handle() {
    const { status, html, headers } = renderViewer();
    return answer(status, html, headers);
  },
});
export const viewerOperations = [showViewer];
