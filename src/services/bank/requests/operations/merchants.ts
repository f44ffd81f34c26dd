/** Payments that strangers approve at their own bank, and codes that lead to them. */
import { Type } from "@sinclair/typebox";
import {
  Amount,
  belowLedger,
  collection,
  ledgerIn,
  operation,
  requireUser,
  userParams,
} from "../../book/index.ts";
import { getPositive } from "../../money/index.ts";
import { answerCode } from "../codes.ts";
import { MERCHANT_KINDS } from "../domain/merchants.ts";
import { beginMerchant } from "../merchants.ts";
import { merchantView } from "../views/merchants.ts";
import { responseView } from "../views/requests.ts";
import { merchantMembers } from "../wire/merchants.ts";
import { RequestResponse } from "../wire/requests.ts";

const COUNT_MAX = 100_000;
const IDEAL = "ideal-merchant-transaction";
const NAMES: Readonly<Record<(typeof MERCHANT_KINDS)[number], string>> = {
  "ideal-merchant-transaction": "IdealMerchantTransaction",
  "sofort-merchant-transaction": "SofortMerchantTransaction",
  "open-banking-merchant-transaction": "OpenBankingMerchantTransaction",
};

const transactions = MERCHANT_KINDS.filter((kind) => kind !== "open-banking-merchant-transaction").flatMap(
  (kind) =>
    collection({
      kind,
      name: NAMES[kind],
      noun: "transaction",
      ...belowLedger(kind),
      wrapper: NAMES[kind],
      methods: kind === IDEAL ? ["create", "list", "read"] : ["list", "read"],
      countMax: COUNT_MAX,
      given: { amount_requested: Amount, issuer: Type.String({ maxLength: 20 }) },
      shown: merchantMembers,
      async make(context, { amount_requested, issuer }, params, id) {
        const ledger = await ledgerIn(context, params);
        const money = getPositive(amount_requested, "amount_requested");
        const order = { kind, money, issuer, description: `Top up of ${ledger.display_name}` };
        return { body: await beginMerchant(context, ledger, order, id) };
      },
      show: ({ request }, record) => merchantView(record, request.mountUrl),
    }),
);

const codeOperation = (id: string, name: string, kind: (typeof MERCHANT_KINDS)[number]) =>
  operation({
    id,
    summary: "Reads a code with which somebody asks for money: it becomes a request to the user",
    description: "The code is the transaction_identifier of a transaction that is open.",
    method: "POST",
    path: `/user/{userID}/${name}`,
    permission: "bank:AnswerTokenQrRequest",
    wrapper: "RequestResponse",
    params: Type.Object(userParams),
    body: Type.Object({ token: Type.String({ minLength: 1, maxLength: 100 }) }),
    answers: { 200: RequestResponse },
    async handle({ params, body }, context) {
      const userId = requireUser(context, params.userID);
      return responseView(await answerCode(context, userId, { kind, token: body.token }));
    },
  });

export const merchantOperations = [
  ...transactions,
  codeOperation("bank.CreateTokenQrRequestIdeal", "token-qr-request-ideal", "ideal-merchant-transaction"),
  codeOperation("bank.CreateTokenQrRequestSofort", "token-qr-request-sofort", "sofort-merchant-transaction"),
];
