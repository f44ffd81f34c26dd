/** The workbench page. It calls the interface with the key of its user. */
import { pageFrom } from "#kernel/html";
import { renderWorkbench } from "../workbench/page.ts";
import { operation } from "./lookup.ts";

export const WORKBENCH_PATH = "/workbench";

const showWorkbench = operation({
  id: "language.workbench",
  summary: "A page to try applications on, with their intents, what they confuse, and what to review",
  ...pageFrom(renderWorkbench),
  path: WORKBENCH_PATH,
  tags: ["addition"],
});
export const workbenchOperations = [showWorkbench];
