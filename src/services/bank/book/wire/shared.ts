/** Shapes that many records share. */
import { Type } from "@sinclair/typebox";

const text = () => Type.String();
export const Amount = Type.Object({
  value: Type.String({ maxLength: 20 }),
  currency: Type.String({ maxLength: 3 }),
});
export const Pointer = Type.Object({
  type: text(),
  value: text(),
  name: Type.Optional(text()),
});
export const Image = Type.Object({
  attachment_public_uuid: text(),
  content_type: text(),
  height: Type.Integer(),
  width: Type.Integer(),
});
export const Avatar = Type.Object({
  uuid: text(),
  anchor_uuid: Type.Optional(text()),
  image: Type.Array(Image),
  style: Type.Optional(text()),
});
export const LabelUser = Type.Object({
  uuid: text(),
  display_name: text(),
  country: text(),
  avatar: Type.Optional(Avatar),
  public_nick_name: text(),
});
/** How one side of a payment is shown to the other. */
export const LabelMonetaryAccount = Type.Object({
  iban: Type.Optional(text()),
  display_name: text(),
  avatar: Type.Optional(Avatar),
  label_user: Type.Optional(LabelUser),
  country: text(),
  vendor_me: Type.Optional(Pointer),
  is_light: Type.Boolean(),
  swift_bic: Type.Optional(text()),
  swift_account_number: Type.Optional(text()),
  transferprovider_account_number: Type.Optional(text()),
  transferprovider_bank_code: Type.Optional(text()),
  merchant_category_code: Type.Optional(text()),
});
export const Id = Type.Object({ Id: Type.Object({ id: Type.Integer() }) });
export const BareId = Type.Object({ id: Type.Integer() });

/** Lists are read by ids: older ones, or newer ones. */
export const ListQuery = Type.Object({
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
  older_id: Type.Optional(Type.Integer({ minimum: 0 })),
  newer_id: Type.Optional(Type.Integer({ minimum: 0 })),
});
export const userParams = { userID: Type.Integer({ minimum: 1 }) };
export const ledgerParams = { ...userParams, monetaryAccountID: Type.Integer({ minimum: 1 }) };
export const itemParams = { itemId: Type.Integer({ minimum: 1 }) };
