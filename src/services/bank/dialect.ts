/** The maker's spelling: its words, and the envelope around every answer. */
import { defineDialect } from "#kernel/dialects";
import { type BankOperation, envelopeOf } from "./book/index.ts";

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value !== null && typeof value === "object" && !Array.isArray(value) && !(value instanceof Uint8Array);
/**
 * The maker's clients send null for absent members. Older clients know only one product for each card type.
 */
function givenIn(operationId: string, body: unknown): unknown {
  if (!isObject(body)) return body;
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
  return operationId === "bank.CreateCardDebit"
    ? { product_type: `${String(given.type)}_DEBIT`, ...given }
    : given;
}

export const makersDialectFor = (operations: readonly BankOperation[]) =>
  defineDialect({
    name: "makers",
    headers: Object.fromEntries(
      [
        "client-authentication",
        "client-signature",
        "client-request-id",
        "client-encryption-key",
        "client-encryption-iv",
        "client-encryption-hmac",
        "language",
        "region",
        "geolocation",
        "attachment-description",
      ].map((name) => [`x-bunq-${name}`, `x-vendor-${name}`]),
    ),
    answerHeaders: {
      "x-vendor-client-response-id": "X-Bunq-Client-Response-Id",
      "x-vendor-client-request-id": "X-Bunq-Client-Request-Id",
      "x-vendor-server-signature": "X-Bunq-Server-Signature",
      "x-vendor-warning": "X-Bunq-Warning",
    },
    pathWords: {
      "bunqme-tab": "vendorme-tab",
      "bunqme-fundraiser-profile": "vendorme-fundraiser-profile",
      "bunqme-fundraiser-result": "vendorme-fundraiser-result",
      "bunqme-tab-result-response": "vendorme-tab-result-response",
    },
    fields: {
      bunq_me: "vendor_me",
      bunq_me_tab_id: "vendor_me_tab_id",
      bunqme_share_url: "vendorme_share_url",
      allow_bunqme: "allow_vendorme",
      bunqme_tab_entry: "vendorme_tab_entry",
      bunqme_tab_entries: "vendorme_tab_entries",
      bunqme_tab_share_url: "vendorme_tab_share_url",
      bunqme_fundraiser_profile: "vendorme_fundraiser_profile",
      allow_bunqto: "allow_vendorto",
      bunqto_status: "vendorto_status",
      bunqto_sub_status: "vendorto_sub_status",
      bunqto_share_url: "vendorto_share_url",
      bunqto_expiry: "vendorto_expiry",
      bunqto_time_responded: "vendorto_time_responded",
      transferwise_account_number: "transferprovider_account_number",
      transferwise_bank_code: "transferprovider_bank_code",
    },
    isAscii: true,
    respellsErrors: true,
    // Texts that people wrote are passed on word for word.
    verbatim: ["description", "content", "merchant_reference"],
    unwrapBody: givenIn,
    wrapAnswer: envelopeOf(operations),
  });
