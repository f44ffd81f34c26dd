/** The page that uploads executables and shows results. It calls the public API like any client. */
import { pageFrom } from "#kernel/html";
import { renderViewer } from "../viewer/page.ts";
import { operation } from "./analysis.ts";

export const VIEWER_PATH = "/viewer";

const showViewer = operation({
  id: "unpack.viewer",
  summary: "A page to drop executables on, which shows what they unpack to and what they do meanwhile",
  ...pageFrom(renderViewer),
  path: VIEWER_PATH,
  tags: ["addition"],
});
export const viewerOperations = [showViewer];
