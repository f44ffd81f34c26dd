/** The page for moderators. */
import { answerOf } from "#kernel/html";
import { anyone, media, operationsFor } from "#kernel/operation";
import { renderModerationPage } from "../moderation/page.ts";
import type { State } from "../state.ts";
import type { Tables } from "../tables/index.ts";

const operation = operationsFor<Tables, State>();
export const MODERATION_PATH = "/moderation";

const showModeration = operation({
  id: "contributions.moderation",
  summary: "Shows a page for moderators",
  description: "Shows waiting contributions. Its requests use the token that is entered on the page.",
  method: "GET",
  path: MODERATION_PATH,
  permission: anyone,
  tags: ["additional"],
  answers: { 200: media("text/html") },
  handle: (_input, { request }) => answerOf(renderModerationPage(new URL(request.mountUrl).origin)),
});
export const moderationOperations = [showModeration];
