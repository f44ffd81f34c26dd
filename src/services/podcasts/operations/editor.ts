/** The page on which curated lists are made and changed; it asks the interface with the key of whoever uses it. */
import { answer, anyone, media, operationsFor } from "#kernel/operation";
import { renderEditor } from "../editor/page.ts";
import type { State } from "../state.ts";
import type { Tables } from "../tables.ts";

export const EDITOR_PATH = "/editor";

const showEditor = operationsFor<Tables, State>()({
  id: "podcasts.editor",
  summary: "A page to make and change curated lists on",
  method: "GET",
  path: EDITOR_PATH,
  permission: anyone,
  tags: ["addition"],
  answers: { 200: media("text/html") },
  handle() {
    const { status, html, headers } = renderEditor();
    return answer(status, html, headers);
  },
});
export const editorOperations = [showEditor];
