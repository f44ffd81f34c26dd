/** The page that uploads executables and shows results. It calls the public API like any client. */
import { pageFrom } from "#kernel/html";
import { renderViewer } from "../viewer/page.ts";
import { operation } from "./analysis.ts";

export const VIEWER_PATH = "/viewer";

const showViewer = operation({
  id: "unpack.viewer",
  summary: "Shows a page for unpacking executables",
  description:
    "Shows the unpacked form and the emulation of files that are dropped on it. No credential is needed.",
  ...pageFrom(renderViewer),
  path: VIEWER_PATH,
  tags: ["addition"],
});
export const viewerOperations = [showViewer];
