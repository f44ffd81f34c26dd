/** The workbench page. It calls the interface with the key of its user. */
import { pageFrom } from "#kernel/html";
import { renderWorkbench } from "../workbench/page.ts";
import { operation } from "./lookup.ts";

export const WORKBENCH_PATH = "/workbench";

const showWorkbench = operation({
  id: "language.workbench",
  summary: "Shows a page for trying applications",
  description:
    "Shows intents, confusions and utterances to review. Its requests use the key that is entered on the page.",
  ...pageFrom(renderWorkbench),
  path: WORKBENCH_PATH,
  tags: ["addition"],
});
export const workbenchOperations = [showWorkbench];
