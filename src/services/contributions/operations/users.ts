/** Contributors, and their external profiles. */
import { Type } from "@sinclair/typebox";
import { isoOf, parseInstant } from "#kernel/clock";
import { operationsFor } from "#kernel/operation";
import { people } from "#ports/people";
import type { Caller } from "../domain/access.ts";
import type { Filter } from "../domain/filter.ts";
import { fold } from "../domain/words.ts";
import { errors } from "../errors.ts";
import type { ContributionsContext, State } from "../state.ts";
import * as store from "../store/users.ts";
import type { Tables, UserRow } from "../tables/index.ts";
import { callerOf, sightOf, userOf } from "../views/caller.ts";
import { Id, named, pageQuery } from "../wire/texts.ts";
import { LinkedProfile, LinkedType, User, userViewOf } from "../wire/users.ts";
import { checkPage, counted } from "./paging.ts";

const operation = operationsFor<Tables, State>();

/** The caller, the account, and every contributor of something that the caller may see. */
async function getUser(context: ContributionsContext, caller: Caller, id: string): Promise<UserRow> {
  const { db, account } = context;
  if (id === caller.userId) return userOf(context, id);
  const row = await store.findUser(db, account, id);
  const isSeen =
    row &&
    (caller.kind === "account" ||
      id === account ||
      (await store.hasContributed(db, account, id, await sightOf(context, caller))));
  if (!row || !isSeen) throw errors.notFound(`There is no user ${id}.`);
  return row;
}
const readUser = operation({
  id: "contributions.users.get",
  summary: "Returns a person",
  description: "People without a visible contribution give 404, except the caller.",
  method: "GET",
  path: "/users/{id}",
  permission: "contributions:GetUser",
  params: named,
  answers: { 200: User },
  errors: [errors.notFound],
  handle: async ({ params }, context) => userViewOf(await getUser(context, callerOf(context), params.id)),
});

const readLinked = operation({
  id: "contributions.users.linked",
  summary: "Returns the linked profile of a person",
  description: "Only for the person and the account.",
  method: "GET",
  path: "/users/{id}/linked/{type}",
  permission: "contributions:GetLinkedProfile",
  params: Type.Object({ id: Id, type: LinkedType }),
  answers: { 200: LinkedProfile },
  errors: [errors.notFound],
  async handle({ params: { id, type } }, context) {
    const caller = callerOf(context);
    const missing = () => errors.notFound(`The user ${id} has no profile of the type ${type}.`);
    if (caller.kind !== "account" && caller.userId !== id) throw missing();
    const user = await getUser(context, caller, id);
    const isAccount = user.id === context.account;
    if (isAccount !== (type === "account")) throw missing();
    if (isAccount)
      return { id: user.id, name: user.display_name, registered: isoOf(Number(user.registered_at)) };
    const person = await context.port(people).find(context, id);
    if (!person) throw missing();
    const { email, picture, profile } = person;
    return {
      id,
      name: person.name ?? person.username,
      ...(email !== undefined && { email }),
      ...(picture !== undefined && { picture }),
      ...(profile !== undefined && { profile }),
      registered: isoOf(person.registeredAtMs),
    };
  },
});

const text = (description: string, example: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 200, description, examples: [example] }));
const instant = (description: string) =>
  Type.Optional(
    Type.String({ format: "date-time", maxLength: 40, description, examples: ["2030-05-01T08:00:00Z"] }),
  );
const listUsers = operation({
  id: "contributions.users.list",
  summary: "Lists people by their number of contributions",
  description: "The most active come first.",
  method: "GET",
  path: "/users",
  permission: "contributions:ListUsers",
  query: Type.Object({
    assignment: text("Who contributed to this assignment.", "asg_1m7fqc7680000eyv1bw2px5"),
    country: Type.Optional(
      Type.String({ pattern: "^[A-Za-z]{2}$", description: "In this country.", examples: ["FR"] }),
    ),
    minimumContributions: Type.Number({
      minimum: 0,
      maximum: 1_000_000_000,
      default: 0,
      description: "At least as many contributions.",
      examples: [2],
    }),
    linkedProfile: Type.Optional(LinkedType),
    ownedBy: text("Who contributed to this person's assignments.", "usr_1m7fqc7680000eyv1bw2px5"),
    submittedBefore: instant("Who contributed before then."),
    submittedAfter: instant("Who contributed after then."),
    username: text("Called exactly so.", "ann"),
    ...pageQuery,
  }),
  answers: { 200: Type.Array(User) },
  errors: [errors.invalid],
  async handle({ query }, context) {
    const { db, account } = context;
    const { assignment, country, ownedBy, submittedBefore, submittedAfter, username } = query;
    const contributions: Filter = {
      ...(assignment !== undefined && { assignment }),
      ...(country !== undefined && { country: country.toUpperCase() }),
      ...(ownedBy !== undefined && { ownedBy }),
      ...(submittedBefore !== undefined && { createdBeforeMs: parseInstant(submittedBefore) ?? 0 }),
      ...(submittedAfter !== undefined && { createdFromMs: (parseInstant(submittedAfter) ?? 0) + 1 }),
    };
    const filter = {
      usernameKey: username === undefined ? undefined : fold(username),
      linkedProfile: query.linkedProfile,
      contributionsMin: query.minimumContributions,
      contributions,
    };
    const sight = await sightOf(context, callerOf(context));
    const { rows, total } = await store.pageOfUsers(db, account, filter, sight, checkPage(query));
    return counted(rows.map(userViewOf), total);
  },
});

export const userOperations = [listUsers, readUser, readLinked];
