/** The page that shows recognition results. It calls the public API with the user's key. */
import { pageFrom } from "#kernel/html";
import { renderViewer } from "../viewer/page.ts";
import { operation } from "./lookup.ts";

export const VIEWER_PATH = "/viewer";

const showViewer = operation({
  id: "face.viewer",
  summary: "Shows a page for trying face detection",
  description:
    "Shows faces, matches and the nearest persons of pictures that are dropped on it. Its requests use the key that is entered on the page.",
  ...pageFrom(renderViewer),
  path: VIEWER_PATH,
  tags: ["addition"],
});
export const viewerOperations = [showViewer];
