/** The workbench page. It calls the interface with the key of its user. */
import { answer, anyone, media } from "#kernel/operation";
import { renderWorkbench } from "../workbench/page.ts";
import { operation } from "./lookup.ts";

export const WORKBENCH_PATH = "/workbench";

const showWorkbench = operation({
  id: "language.workbench",
  summary: "A page to try applications on, with their intents, what they confuse, and what to review",
  method: "GET",
  path: WORKBENCH_PATH,
  permission: anyone,
  tags: ["addition"],
  answers: { 200: media("text/html") },
  handle() {
    const { status, html, headers } = renderWorkbench();
    return answer(status, html, headers);
  },
});
export const workbenchOperations = [showWorkbench];
