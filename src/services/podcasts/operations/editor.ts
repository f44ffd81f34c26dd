/** Editor page for curated lists. It calls the API with its user's key. */
import { pageFrom } from "#kernel/html";
import { operationsFor } from "#kernel/operation";
import { renderEditor } from "../editor/page.ts";
import type { State } from "../state.ts";
import type { Tables } from "../tables.ts";

export const EDITOR_PATH = "/editor";

const showEditor = operationsFor<Tables, State>()({
  id: "podcasts.editor",
  summary: "Shows a page for editing curated lists",
  description: "Its requests use the key that is entered on the page.",
  ...pageFrom(renderEditor),
  path: EDITOR_PATH,
  tags: ["addition"],
});
export const editorOperations = [showEditor];
