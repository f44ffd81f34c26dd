/** Labels of people and accounts for the other side of a payment. */

import { type Static, Type } from "@sinclair/typebox";

const Pointer = Type.Object({
  type: Type.String(),
  value: Type.String(),
  name: Type.Optional(Type.String()),
});
const Image = Type.Object({
  attachment_public_uuid: Type.String(),
  content_type: Type.String(),
  height: Type.Number(),
  width: Type.Number(),
});
const Avatar = Type.Object({
  uuid: Type.String(),
  anchor_uuid: Type.Optional(Type.String()),
  image: Type.Array(Image),
  style: Type.Optional(Type.String()),
});
export const UserLabel = Type.Object({
  uuid: Type.String(),
  display_name: Type.String(),
  country: Type.String(),
  avatar: Type.Optional(Avatar),
  public_nick_name: Type.String(),
});
export type UserLabel = Static<typeof UserLabel>;
/** One side of a payment, as the other sees it. */
export const Label = Type.Object({
  iban: Type.Optional(Type.String()),
  display_name: Type.String(),
  avatar: Type.Optional(Avatar),
  label_user: Type.Optional(UserLabel),
  country: Type.String(),
  vendor_me: Type.Optional(Pointer),
  is_light: Type.Boolean(),
  swift_bic: Type.Optional(Type.String()),
  swift_account_number: Type.Optional(Type.String()),
  transferprovider_account_number: Type.Optional(Type.String()),
  transferprovider_bank_code: Type.Optional(Type.String()),
  merchant_category_code: Type.Optional(Type.String()),
});
export type Label = Static<typeof Label>;
