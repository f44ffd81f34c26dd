/** The page on which curated lists are made and changed; it asks the interface with the key of whoever uses it. */
import { pageFrom } from "#kernel/html";
import { operationsFor } from "#kernel/operation";
import { renderEditor } from "../editor/page.ts";
import type { State } from "../state.ts";
import type { Tables } from "../tables.ts";

export const EDITOR_PATH = "/editor";

const showEditor = operationsFor<Tables, State>()({
  id: "podcasts.editor",
  summary: "A page to make and change curated lists on",
  ...pageFrom(renderEditor),
  path: EDITOR_PATH,
  tags: ["addition"],
});
export const editorOperations = [showEditor];
