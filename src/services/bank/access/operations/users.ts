/** Users: made in the sandbox, read and changed by themselves; companies that people found. */
import { Type } from "@sinclair/typebox";
import { secret } from "#kernel/operation";
import {
  Amount,
  type BankContext,
  BareId,
  callerOf,
  createRecord,
  emptyKind,
  errors,
  Id,
  idOf,
  itemParams,
  listRecords,
  operation,
  requireUser,
  takeId,
  type UserRow,
  userDetails,
  userParams,
} from "../../book/index.ts";
import { findAvatar, findUser, readAmount, updateUser } from "../../money/index.ts";
import { showInCatalog } from "../catalog-entry.ts";
import { issueKey, openUser, requireRoom } from "../open-user.ts";
import { companyMembers, personMembers, User, userView, wrapperOf } from "../wire/users.ts";

const COMPANIES_MAX = 20;
const SESSION_SECONDS_MIN = 60;
const SESSION_SECONDS_MAX = 90 * 86_400;
const FIRST = ["Alex", "Bente", "Chris", "Dana", "Eli", "Femke", "Gail", "Hugo", "Ina", "Jules"];
const LAST = [
  "Bakker",
  "Dekker",
  "Fischer",
  "Garcia",
  "Jansen",
  "Laurent",
  "Meyer",
  "Novak",
  "Visser",
  "Wolf",
];

async function getUser(context: BankContext, id: number, kind?: string): Promise<UserRow> {
  requireUser(context, id);
  const user = await findUser(context.db, context.account, id);
  if (!user || (kind !== undefined && user.kind !== kind)) throw errors.notFound(`There is no user ${id}.`);
  return user;
}

const SandboxAlias = Type.Union([
  Type.Object({
    type: Type.Literal("EMAIL"),
    value: Type.String({
      maxLength: 255,
      pattern: "^[^@\\s]{1,64}@[^@\\s]{1,190}$",
      examples: ["ann@example.com"],
    }),
  }),
  Type.Object({
    type: Type.Literal("PHONE_NUMBER"),
    value: Type.String({ pattern: "^\\+\\d{6,15}$", examples: ["+31612345678"] }),
  }),
]);
const sandboxUser = (kind: "person" | "company") =>
  operation({
    id: kind === "person" ? "bank.CreateSandboxUserPerson" : "bank.CreateSandboxUserCompany",
    summary: `Makes a ${kind} with a first account, and the key to it`,
    method: "POST",
    path: `/sandbox-user-${kind}`,
    description: "Without a credential on loopback, or where the setting bank-open-sandbox names an account.",
    permission: "bank:CreateSandboxUser",
    credentialOptional: true,
    wrapper: "ApiKey",
    body: Type.Object({
      alias: Type.Optional(
        Type.Array(SandboxAlias, {
          maxItems: 5,
          description: "What else they are known by: money that waits for one of these is theirs.",
          examples: [[{ type: "EMAIL", value: "ann@example.com" }]],
        }),
      ),
    }),
    bodyOptional: true,
    answers: { 200: Type.Object({ api_key: secret(Type.String()) }) },
    async handle({ body }, context) {
      const { db, account, ids } = context;
      await takeId(db, account);
      await requireRoom(context);
      const pick = (names: readonly string[]) => names[Math.floor(ids.fraction() * names.length)] ?? "";
      const { userId } = await openUser(context, {
        kind,
        isDefault: false,
        names: kind === "person" ? [pick(FIRST), pick(LAST)] : ["", `${pick(LAST)} B.V.`],
        aliases: body?.alias ?? [],
      });
      return { api_key: await issueKey(context, userId, "Given when the user was made") };
    },
  });

/** Recognises the kind of a user by a member that only this kind has. */
const kindName = (user: { name?: string; certificate_distinguished_name?: string }): string => {
  if (user.certificate_distinguished_name !== undefined) return "UserPaymentServiceProvider";
  return user.name === undefined ? "UserPerson" : "UserCompany";
};

const listUsers = operation({
  id: "bank.ListUsers",
  summary: "Lists the user of the session",
  description:
    "A session has one user, so the list has one entry. The name of the wrapper is the kind of the user.",
  method: "GET",
  path: "/user",
  permission: "bank:ListUsers",
  wrapper: kindName,
  answers: { 200: Type.Array(User) },
  handle: async (_input, context) => [
    await userView(context, await getUser(context, callerOf(context).userId)),
  ],
});
const reading = (id: string, path: string, kind?: string) =>
  operation({
    id,
    summary: kind === undefined ? "Reads a user" : `Reads a user who is a ${kind}`,
    description: "Only the user of the session; other users give an error.",
    method: "GET",
    path: `${path}/{itemId}`,
    permission: "bank:ReadUser",
    wrapper: kind === undefined ? kindName : wrapperOf({ kind }),
    params: Type.Object(itemParams),
    answers: { 200: User },
    handle: async ({ params }, context) => userView(context, await getUser(context, params.itemId, kind)),
  });

type Given = Readonly<Record<string, unknown>> & {
  readonly first_name?: string;
  readonly middle_name?: string;
  readonly last_name?: string;
  readonly name?: string;
  readonly country?: string;
  readonly session_timeout?: number;
  readonly avatar_uuid?: string;
  readonly daily_limit_without_confirmation_login?: { value: string; currency: string };
};
/** People are called by their names, companies by theirs. */
function nameAfter({ kind, display_name }: UserRow, details: Given): string {
  if (kind === "company") return details.name ?? display_name;
  const name = [details.first_name, details.middle_name, details.last_name].filter(Boolean).join(" ");
  return name || display_name;
}
async function changeUser(context: BankContext, user: UserRow, given: Given): Promise<void> {
  const { session_timeout, avatar_uuid, daily_limit_without_confirmation_login: limit, ...members } = given;
  if (avatar_uuid !== undefined && !(await findAvatar(context.db, context.account, avatar_uuid)))
    throw errors.badRequest(`There is no avatar ${avatar_uuid}.`);
  const limitMinor = limit && limit.currency === "EUR" ? readAmount(limit.value, "EUR") : undefined;
  if (limit && (limitMinor === undefined || limitMinor < 0))
    throw errors.badRequest("daily_limit_without_confirmation_login must be an amount in EUR.");
  const details = {
    ...userDetails.read(user.details),
    ...members,
    ...(avatar_uuid !== undefined && { avatar_uuid }),
    ...(limitMinor !== undefined && { daily_limit_minor: limitMinor }),
  };
  const display_name = nameAfter(user, details);
  await showInCatalog(context, { id: user.id, display_name });
  await updateUser(context.db, {
    ...user,
    display_name,
    country: given.country ?? user.country,
    session_seconds: session_timeout ?? user.session_seconds,
    details: userDetails.write(details),
    updated_at: context.clock.nowMs(),
  });
}
const changeMembers = {
  session_timeout: Type.Optional(
    Type.Integer({ minimum: SESSION_SECONDS_MIN, maximum: SESSION_SECONDS_MAX }),
  ),
  avatar_uuid: Type.Optional(Type.String({ maxLength: 36 })),
  daily_limit_without_confirmation_login: Type.Optional(Amount),
};
const updatePerson = operation({
  id: "bank.UpdateUserPerson",
  summary: "Changes the profile of a person",
  description:
    "Members that are not given stay. A new `session_timeout` (60 seconds to 90 days) applies to sessions that are opened later. `daily_limit_without_confirmation_login` must be in EUR.",
  method: "PUT",
  path: "/user-person/{itemId}",
  permission: "bank:UpdateUser",
  wrapper: "Id",
  params: Type.Object(itemParams),
  body: Type.Object({ ...personMembers, ...changeMembers }),
  answers: { 200: BareId },
  async handle({ params, body }, context) {
    const user = await getUser(context, params.itemId, "person");
    await changeUser(context, user, body);
    return { id: user.id };
  },
});
const updateCompany = operation({
  id: "bank.UpdateUserCompany",
  summary: "Changes the profile of a company",
  description:
    "Members that are not given stay. A new `session_timeout` (60 seconds to 90 days) applies to sessions that are opened later. `daily_limit_without_confirmation_login` must be in EUR.",
  method: "PUT",
  path: "/user-company/{itemId}",
  permission: "bank:UpdateUser",
  wrapper: "Id",
  params: Type.Object(itemParams),
  body: Type.Object({ ...companyMembers, ...changeMembers }),
  answers: { 200: BareId },
  async handle({ params, body }, context) {
    const user = await getUser(context, params.itemId, "company");
    await changeUser(context, user, body);
    return { id: user.id };
  },
});
const companyNames = operation({
  id: "bank.ListUserCompanyNames",
  summary: "Lists the names that a company may use",
  description: "The display name and the public nickname, without duplicates.",
  method: "GET",
  path: "/user-company/{userCompanyID}/name",
  permission: "bank:ReadUser",
  wrapper: "UserCompanyNameArray",
  params: Type.Object({ userCompanyID: Type.Integer({ minimum: 1 }) }),
  answers: { 200: Type.Array(Type.Object({ name_array: Type.Array(Type.String()) })) },
  async handle({ params }, context) {
    const { display_name, details } = await getUser(context, params.userCompanyID, "company");
    const { public_nick_name = display_name } = userDetails.read(details);
    return [{ name_array: [...new Set([display_name, public_nick_name])] }];
  },
});
const legalNames = operation({
  id: "bank.ListLegalNames",
  summary: "Lists the legal names of a user",
  description: "The display name and, for a person, the form with the initial.",
  method: "GET",
  path: "/user/{userID}/legal-name",
  permission: "bank:ReadUser",
  wrapper: "UserLegalNameArray",
  params: Type.Object(userParams),
  answers: { 200: Type.Array(Type.Object({ legal_names: Type.Array(Type.String()) })) },
  async handle({ params }, context) {
    const { display_name, details } = await getUser(context, params.userID);
    const { first_name = "", last_name = "" } = userDetails.read(details);
    const short = first_name && last_name ? [`${first_name.slice(0, 1)}. ${last_name}`] : [];
    return [{ legal_names: [...new Set([display_name, ...short])] }];
  },
});

/** The companies that a user founded. */
emptyKind("company");
const foundedBy = (userId: number) => ({ kind: "company", userId, ownerId: 0 });
const createCompany = operation({
  id: "bank.CreateCompany",
  summary: "Founds a company, with a first account",
  description: "Its founder reads and changes it here; it has no key of its own.",
  method: "POST",
  path: "/user/{userID}/company",
  permission: "bank:CreateCompany",
  params: Type.Object(userParams),
  body: Type.Object({
    ...companyMembers,
    name: Type.String({ minLength: 1, maxLength: 140 }),
    subscription_type: Type.Optional(Type.String({ maxLength: 50 })),
    avatar_uuid: changeMembers.avatar_uuid,
  }),
  answers: { 200: Id },
  async handle({ params, body }, context) {
    const { db, account } = context;
    const founder = await getUser(context, params.userID);
    await takeId(db, account);
    const companies = await listRecords(db, account, foundedBy(founder.id), COMPANIES_MAX);
    if (companies.length >= COMPANIES_MAX)
      throw errors.badRequest(`A user has at most ${COMPANIES_MAX} companies.`);
    await requireRoom(context);
    const { userId } = await openUser(context, {
      kind: "company",
      isDefault: false,
      names: ["", body.name],
      isEmpty: true,
    });
    const company = await findUser(db, account, userId);
    if (company) await changeUser(context, company, body);
    await createRecord(context, { ...foundedBy(founder.id), id: userId, body: {} });
    return idOf(userId);
  },
});
async function getCompany(context: BankContext, userId: number, id: number): Promise<UserRow> {
  requireUser(context, userId);
  const companies = await listRecords(context.db, context.account, foundedBy(userId), COMPANIES_MAX);
  const isTheirs = companies.some((company) => company.id === id);
  const company = isTheirs ? await findUser(context.db, context.account, id) : undefined;
  if (!company) throw errors.notFound(`There is no company ${id}.`);
  return company;
}
const listCompanies = operation({
  id: "bank.ListCompanies",
  summary: "Lists the companies that a user founded",
  description: "A user has at most 20 companies, so they are on one page.",
  method: "GET",
  path: "/user/{userID}/company",
  permission: "bank:ListCompanies",
  wrapper: "UserCompany",
  params: Type.Object(userParams),
  answers: { 200: Type.Array(User) },
  async handle({ params }, context) {
    const userId = requireUser(context, params.userID);
    const companies = await listRecords(context.db, context.account, foundedBy(userId), COMPANIES_MAX);
    return Promise.all(
      companies.toReversed().map(async ({ id }) => userView(context, await getCompany(context, userId, id))),
    );
  },
});
const readCompany = operation({
  id: "bank.ReadCompany",
  summary: "Reads a company that a user founded",
  description: "A company of another founder gives 404.",
  method: "GET",
  path: "/user/{userID}/company/{itemId}",
  permission: "bank:ReadCompany",
  wrapper: "UserCompany",
  params: Type.Object({ ...userParams, ...itemParams }),
  answers: { 200: User },
  handle: async ({ params }, context) =>
    userView(context, await getCompany(context, params.userID, params.itemId)),
});
const changeCompany = operation({
  id: "bank.UpdateCompany",
  summary: "Changes a company that a user founded",
  description: "Members that are not given stay. Only its founder may change it.",
  method: "PUT",
  path: "/user/{userID}/company/{itemId}",
  permission: "bank:UpdateCompany",
  params: Type.Object({ ...userParams, ...itemParams }),
  body: Type.Object({ ...companyMembers, ...changeMembers }),
  answers: { 200: Id },
  async handle({ params, body }, context) {
    const company = await getCompany(context, params.userID, params.itemId);
    await changeUser(context, company, body);
    return idOf(company.id);
  },
});

export const userOperations = [
  sandboxUser("person"),
  sandboxUser("company"),
  listUsers,
  reading("bank.ReadUser", "/user"),
  reading("bank.ReadUserPerson", "/user-person", "person"),
  reading("bank.ReadUserCompany", "/user-company", "company"),
  reading("bank.ReadUserPaymentServiceProvider", "/user-payment-service-provider", "provider"),
  updatePerson,
  updateCompany,
  companyNames,
  legalNames,
  createCompany,
  listCompanies,
  readCompany,
  changeCompany,
];
