/** Operation for spelling corrections. */
import { Type } from "@sinclair/typebox";
import { errors } from "../errors.ts";
import { correct, correctedHtml } from "../search/correct.ts";
import * as wire from "../wire/index.ts";
import { meteredOperation } from "./metered.ts";

const spellcheck = meteredOperation({
  id: "podcasts.spellcheck",
  summary: "Corrects the spelling of a search text",
  description:
    "Uses the words of titles, names and descriptions in the directory, so an empty directory corrects nothing. At most 16 words are checked.",
  method: "GET",
  path: "/spellcheck",
  permission: "podcasts:Search",
  query: Type.Object({ q: wire.SearchText }),
  answers: {
    200: Type.Object({
      tokens: Type.Array(
        Type.Object({
          offset: Type.Integer({ description: "Where the word begins in what was typed.", examples: [0] }),
          token: Type.String({ description: "The word as it was typed.", examples: ["podcst"] }),
          suggestion: Type.String({
            description: "What it may have been meant to be.",
            examples: ["podcast"],
          }),
        }),
      ),
      corrected_text_html: Type.String({
        description: "The whole text with what was corrected in bold italics.",
        examples: ["<b><i>podcast</i></b> awards"],
      }),
    }),
  },
  errors: [errors.badRequest],
  examples: { query: { q: "podcst awards" } },
  async handle({ query: { q } }, context) {
    const corrections = await correct(context, q);
    return {
      tokens: corrections.map(({ word, suggestion }) => ({
        offset: word.start,
        token: q.slice(word.start, word.end),
        suggestion,
      })),
      corrected_text_html: correctedHtml(q, corrections),
    };
  },
});
export const spellingOperations = [spellcheck];
