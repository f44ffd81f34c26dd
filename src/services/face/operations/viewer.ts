/** The page that shows recognition results. It calls the public API with the user's key. */
import { pageFrom } from "#kernel/html";
import { renderViewer } from "../viewer/page.ts";
import { operation } from "./lookup.ts";

export const VIEWER_PATH = "/viewer";

const showViewer = operation({
  id: "face.viewer",
  summary: "A page to drop pictures on, which shows faces, matches and the nearest persons",
  ...pageFrom(renderViewer),
  path: VIEWER_PATH,
  tags: ["addition"],
});
export const viewerOperations = [showViewer];
