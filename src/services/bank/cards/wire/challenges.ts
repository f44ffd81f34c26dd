/** Questions to the holders of cards. */
import { Type } from "@sinclair/typebox";
import { LabelMonetaryAccount } from "../../book/index.ts";

export const challengeMembers = {
  id: Type.Integer(),
  created: Type.String(),
  updated: Type.String(),
  amount: Type.String({ description: "How much is paid.", examples: ["12.34"] }),
  expiry_time: Type.String(),
  description: Type.String(),
  status: Type.String(),
  counterparty_alias: LabelMonetaryAccount,
  card_id: Type.Integer(),
  event_id: Type.Optional(
    Type.Integer({ description: "The card transaction that came of it.", examples: [57] }),
  ),
};
