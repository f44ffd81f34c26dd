/** Refinements: how many contributions match each further filter. */
import { Type } from "@sinclair/typebox";
import { anyone, kernelErrors, operationsFor } from "#kernel/operation";
import { isRefinement, REFINEMENTS, type Refinement } from "../domain/refinements.ts";
import { errors } from "../errors.ts";
import type { State } from "../state.ts";
import { countRefinements } from "../store/refinements.ts";
import type { Tables } from "../tables/index.ts";
import { callerOf, sightOf } from "../views/caller.ts";
import { filterParameters, readFilter } from "../wire/filter.ts";

const operation = operationsFor<Tables, State>();
/** The first count after a start reads everything, in short steps. A busy machine may need this long. */
const FIRST_COUNT_SECONDS_MAX = 600;

const Option = Type.Object({
  value: Type.String({ description: "The value to filter by.", examples: ["FR"] }),
  count: Type.Integer({ description: "How many contributions that would leave.", examples: [42] }),
});

const listTypes = operation({
  id: "contributions.refinement-types.list",
  summary: "Lists the features that contributions can be counted by",
  description: "The list is fixed.",
  method: "GET",
  path: "/contribution-refinement-types",
  permission: anyone,
  answers: { 200: Type.Array(Type.String({ description: "A refinement's name.", examples: ["country"] })) },
  handle: () => [...REFINEMENTS],
});

function namesOf(text: string | undefined): Refinement[] {
  if (text === undefined) return [...REFINEMENTS];
  const names = [...new Set(text.split(",").map((name) => name.trim()))].filter((name) => name !== "");
  const known = names.filter(isRefinement);
  const unknown = names.find((name) => !isRefinement(name));
  if (unknown !== undefined)
    throw errors.invalid(`There is no refinement ${unknown.slice(0, 64)}.`, { target: "refinements" });
  return known;
}

const listRefinements = operation({
  id: "contributions.refinements.list",
  summary: "Counts contributions by the values of features",
  description:
    "Takes the filters of `contributions.contributions.list`. The first count after a start reads all contributions and can take long. 429 if too many visitors count at a time.",
  method: "GET",
  path: "/contribution-refinements",
  permission: "contributions:ListRefinements",
  timeoutSeconds: FIRST_COUNT_SECONDS_MAX,
  query: Type.Object({
    ...filterParameters,
    refinements: Type.Optional(
      Type.String({
        maxLength: 300,
        description: "Which ones, with commas; all where it is missing.",
        examples: ["country,mediaType"],
      }),
    ),
    refinementSize: Type.Integer({
      minimum: 1,
      maximum: 1000,
      default: 10,
      description: "How many values of each, the most frequent ones.",
      examples: [10],
    }),
  }),
  answers: {
    200: Type.Record(Type.String(), Type.Array(Option), {
      description: "Values and counts, by the refinement's name.",
      examples: [{ country: [{ value: "FR", count: 42 }] }],
    }),
  },
  errors: [errors.invalid],
  async handle({ query: { refinements, refinementSize, ...rest } }, context) {
    const { db, account, request, state } = context;
    const caller = callerOf(context);
    const wanted = { filter: readFilter(rest), sight: await sightOf(context, caller) };
    const names = namesOf(refinements);
    const count = () =>
      countRefinements(db, account, state.columns, wanted, { refinements: names, limit: refinementSize });
    const counts =
      caller.kind === "anonymous"
        ? await state.strangersCounts.run(request.remoteAddress, count)
        : await count();
    if (!counts) throw kernelErrors.throttled("Too many ask for this at once: try again later.");
    return Object.fromEntries([...counts].map(([name, options]) => [name, [...options]]));
  },
});

export const refinementOperations = [listTypes, listRefinements];
