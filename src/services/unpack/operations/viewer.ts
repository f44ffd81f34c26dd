/** The page on which people drop executables; it asks the interface like everybody else. */
import { answer, anyone, media } from "#kernel/operation";
import { renderViewer } from "../viewer/page.ts";
import { operation } from "./analysis.ts";

export const VIEWER_PATH = "/viewer";

const showViewer = operation({
  id: "unpack.viewer",
  summary: "A page to drop executables on, which shows what they unpack to and what they do meanwhile",
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
