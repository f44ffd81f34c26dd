/** Operations for trending and related searches. */
import { Type } from "@sinclair/typebox";
import { phraseOf } from "../domain/search/phrases.ts";
import { errors } from "../errors.ts";
import type { PodcastsContext } from "../state.ts";
import { listRelatedTerms, listTerms } from "../store/interest.ts";
import * as wire from "../wire/index.ts";
import { meteredOperation } from "./metered.ts";

const TERMS_MAX = 10;
/** Number of top terms that are scanned for common words. */
const LOOKED_THROUGH_MAX = 1_000;
const Terms = Type.Object({
  terms: Type.Array(Type.String(), {
    description: "Searches, the most frequent of late first.",
    examples: [["star wars"]],
  }),
});

const trending = meteredOperation({
  id: "podcasts.trending-searches",
  summary: "Lists the most frequent recent searches",
  description:
    "At most 10 terms. Each key counts once a day for a term, and the weight of a search halves every two days.",
  method: "GET",
  path: "/trending_searches",
  permission: "podcasts:Search",
  answers: { 200: Terms },
  async handle(_input, { db, account }) {
    const terms = await listTerms(db, account, TERMS_MAX);
    return { terms: terms.map(({ shown }) => shown) };
  },
});

/** Searches with a common word, most popular first. */
async function sharingWords({ db, account }: PodcastsContext, term: string): Promise<string[]> {
  const words = new Set(term.split(" "));
  const terms = await listTerms(db, account, LOOKED_THROUGH_MAX);
  return terms
    .filter((one) => one.term !== term && one.term.split(" ").some((word) => words.has(word)))
    .map(({ shown }) => shown);
}

const related = meteredOperation({
  id: "podcasts.related-searches",
  summary: "Lists searches that are related to a term",
  description:
    "At most 10 terms: those that the same keys searched for within 10 minutes, then similar ones.",
  method: "GET",
  path: "/related_searches",
  permission: "podcasts:Search",
  query: Type.Object({ q: wire.SearchText }),
  answers: { 200: Terms },
  errors: [errors.badRequest],
  examples: { query: { q: "star wars" } },
  async handle({ query }, context) {
    const term = phraseOf(query.q);
    if (term === "") throw errors.badRequest("q holds no letter or number.");
    const together = await listRelatedTerms(context.db, context.account, term, TERMS_MAX);
    const all = new Set([...together, ...(await sharingWords(context, term))]);
    return { terms: [...all].slice(0, TERMS_MAX) };
  },
});
export const searchesOperations = [trending, related];
