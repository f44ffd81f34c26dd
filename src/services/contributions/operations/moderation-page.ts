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
  summary: "A page for moderators that shows waiting contributions",
  method: "GET",
  path: MODERATION_PATH,
  permission: anyone,
  tags: ["additional"],
  answers: { 200: media("text/html") },
  handle: (_input, { request }) => answerOf(renderModerationPage(new URL(request.mountUrl).origin)),
});
export const moderationOperations = [showModeration];
