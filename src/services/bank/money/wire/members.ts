/** Members of bodies that many kinds of money share. */
import { Type } from "@sinclair/typebox";

/** An address by which somebody is found. */
export const PointerBody = Type.Object({
  type: Type.String({
    maxLength: 50,
    description: "What kind of address it is: `EMAIL`, `PHONE_NUMBER` or `IBAN`.",
    examples: ["EMAIL"],
  }),
  value: Type.String({
    minLength: 1,
    maxLength: 255,
    description: "The address itself.",
    examples: ["sugardaddy@example.org"],
  }),
  name: Type.Optional(Type.String({ maxLength: 140, examples: ["Sugar Daddy"] })),
  service: Type.Optional(Type.String({ maxLength: 50 })),
});
export const Description = Type.String({ maxLength: 140 });
export const Reference = Type.String({ maxLength: 255 });
export const StatusBody = Type.String({ maxLength: 50 });
export const Instant = Type.String({ maxLength: 40 });
export const Address = Type.Object({
  street: Type.Optional(Type.String({ maxLength: 255 })),
  house_number: Type.Optional(Type.String({ maxLength: 20 })),
  po_box: Type.Optional(Type.String({ maxLength: 50 })),
  postal_code: Type.Optional(Type.String({ maxLength: 20 })),
  city: Type.Optional(Type.String({ maxLength: 255 })),
  country: Type.Optional(Type.String({ maxLength: 2 })),
  extra: Type.Optional(Type.String({ maxLength: 255 })),
  mailbox_name: Type.Optional(Type.String({ maxLength: 255 })),
  province: Type.Optional(Type.String({ maxLength: 255 })),
  is_user_address_updated: Type.Optional(Type.Boolean()),
});
export const ErrorMessage = Type.Array(
  Type.Object({ error_description: Type.String(), error_description_translated: Type.String() }),
);
