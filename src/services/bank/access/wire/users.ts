/** Users as their owners see them. */
import { type Static, Type } from "@sinclair/typebox";
import {
  Amount,
  Avatar,
  type BankContext,
  listFilters,
  Pointer,
  timeText,
  type UserRow,
  userDetails,
} from "../../book/index.ts";
import { amountOf, findAvatar, listAliases } from "../../money/index.ts";

const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }));
const Address = Type.Object({
  street: text(140),
  house_number: text(20),
  po_box: text(20),
  postal_code: text(20),
  city: text(140),
  country: text(2),
  extra: text(140),
  mailbox_name: text(140),
  province: text(140),
});
const TaxResident = Type.Object({ country: text(2), tax_number: text(50), status: text(20) });
const Ubo = Type.Object({ name: text(140), date_of_birth: text(10), nationality: text(2) });

/** Members that users of every kind can set. */
export const commonMembers = {
  public_nick_name: text(140),
  address_main: Type.Optional(Address),
  address_postal: Type.Optional(Address),
  language: text(5),
  region: text(5),
  tax_resident: Type.Optional(Type.Array(TaxResident, { maxItems: 10 })),
};
export const personMembers = {
  ...commonMembers,
  first_name: text(140),
  middle_name: text(140),
  last_name: text(140),
  date_of_birth: Type.Optional(Type.String({ maxLength: 10, pattern: "^\\d{4}-\\d{2}-\\d{2}$" })),
  place_of_birth: text(140),
  country_of_birth: text(2),
  nationality: text(2),
  all_nationality: Type.Optional(Type.Array(Type.String({ maxLength: 2 }), { maxItems: 10 })),
  gender: Type.Optional(Type.Union([Type.Literal("MALE"), Type.Literal("FEMALE"), Type.Literal("UNKNOWN")])),
};
export const companyMembers = {
  ...commonMembers,
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 140 })),
  chamber_of_commerce_number: text(50),
  legal_form: text(50),
  type_of_business_entity: text(50),
  sector_of_industry: text(50),
  country: text(2),
  ubo: Type.Optional(Type.Array(Ubo, { maxItems: 20 })),
};

const Filter = Type.Object({
  notification_delivery_method: Type.String(),
  notification_target: Type.Optional(Type.String()),
  category: Type.String(),
});
export const User = Type.Object({
  id: Type.Integer(),
  created: Type.String(),
  updated: Type.String(),
  public_uuid: Type.String(),
  display_name: Type.String(),
  ...personMembers,
  ...companyMembers,
  public_nick_name: Type.String(),
  legal_name: Type.Optional(Type.String()),
  certificate_distinguished_name: Type.Optional(Type.String()),
  alias: Type.Array(Pointer),
  avatar: Type.Optional(Avatar),
  status: Type.String(),
  sub_status: Type.String(),
  session_timeout: Type.Integer(),
  daily_limit_without_confirmation_login: Amount,
  notification_filters: Type.Array(Filter),
});

const WRAPPERS: Readonly<Record<string, "UserPerson" | "UserCompany" | "UserPaymentServiceProvider">> = {
  person: "UserPerson",
  company: "UserCompany",
  provider: "UserPaymentServiceProvider",
};
export const wrapperOf = ({ kind }: Pick<UserRow, "kind">) => WRAPPERS[kind] ?? "UserPerson";

/** Names that are made of others are not kept. */
const namesOf = ({ kind, display_name }: UserRow) => {
  if (kind === "person") return { legal_name: display_name };
  return kind === "company" ? { name: display_name } : {};
};
const DAILY_LIMIT_MINOR = 25_000;

export async function userView(context: BankContext, user: UserRow): Promise<Static<typeof User>> {
  const { db, account } = context;
  const { avatar_uuid, daily_limit_minor = DAILY_LIMIT_MINOR, ...details } = userDetails.read(user.details);
  const [aliases, filters] = await Promise.all([
    listAliases(db, account, user.id),
    listFilters(db, account, [user.id]),
  ]);
  const avatar = avatar_uuid !== undefined && (await findAvatar(db, account, avatar_uuid));
  return {
    ...details,
    id: user.id,
    created: timeText(user.created_at),
    updated: timeText(user.updated_at),
    public_uuid: user.public_uuid,
    display_name: user.display_name,
    public_nick_name: details.public_nick_name ?? user.display_name,
    ...namesOf(user),
    alias: aliases
      .filter(({ type }) => type !== "IBAN")
      .map(({ type, value, name }) => ({ type, value, name })),
    ...(avatar && { avatar: { uuid: avatar.uuid, image: JSON.parse(avatar.images) } }),
    status: user.status,
    sub_status: "NONE",
    session_timeout: user.session_seconds,
    daily_limit_without_confirmation_login: amountOf({ minor: daily_limit_minor, currency: "EUR" }),
    notification_filters: filters.map(({ method, target, category }) => ({
      notification_delivery_method: method,
      ...(target !== "" && { notification_target: target }),
      category,
    })),
  };
}
