/** The pages on which people who are not users claim money that waits for them. */
import { Type } from "@sinclair/typebox";
import { noBody, ServiceError } from "#kernel/operation";
import { type BankContext, operation } from "../../book/index.ts";
import { renderClaim } from "../pages/claim-page.ts";
import { renderGone } from "../pages/site.ts";
import { claimTo, findUnclaimed, WAITING } from "../waiting.ts";
import { basePathOf, behind, Html, pressed, publicForm, publicPage, see, show } from "./open-pages.ts";

const findBehind = (context: BankContext, uuid: string) =>
  behind(context, uuid, async (inner, { kind, record_id }) =>
    kind === WAITING ? findUnclaimed(inner, record_id) : undefined,
  );

const openClaim = operation({
  id: "bank.OpenClaimPage",
  summary: "Shows the page on which a waiting payment is claimed",
  description:
    "A payment to an unknown e-mail address or telephone number waits there for its owner. The payer finds the page's address in the payment, as `vendorto_share_url`, and passes it on. `bank.ClaimOnPage` takes its form.",
  ...publicPage,
  path: "/claim/{uuid}",
  async handle({ params }, context) {
    const found = await findBehind(context, params.uuid);
    return show(found ? renderClaim(found) : renderGone());
  },
});
const claim = operation({
  id: "bank.ClaimOnPage",
  summary: "Claims a waiting payment for an account number",
  description:
    "If the number belongs to an account of this bank, the money is booked there. Otherwise it leaves the bank. A payment that was claimed or taken back is refused. The page takes at most 60 forms a minute.",
  ...publicForm,
  path: "/claim/{uuid}",
  body: Type.Object({
    name: Type.String({ maxLength: 140 }),
    iban: Type.String({ maxLength: 60 }),
  }),
  answers: { 303: noBody, 400: Html, 404: Html },
  async handle({ params, body }, context) {
    const given = { name: body.name.trim(), iban: body.iban.trim() };
    try {
      const found = await pressed(context, params.uuid, async (inner, { kind, record_id }) => {
        if (kind === WAITING) await claimTo(inner, record_id, given);
        return kind === WAITING;
      });
      return found ? see(`${basePathOf(context)}/claim/${params.uuid}`) : show(renderGone());
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const found = await findBehind(context, params.uuid);
      return show(found ? renderClaim(found, { ...given, message: error.message }) : renderGone());
    }
  },
});

export const claimOperations = [openClaim, claim];
