/** Payment service providers of the bank: known by a certificate. */
import { sign } from "node:crypto";
import { generateKeyPem, issueAuthority } from "../../src/kernel/tls/issue.ts";
import { PUBLIC_PEM } from "./bank.ts";
import { BankPerson, newPerson } from "./bank-people.ts";
import type { Instance } from "./medley.ts";

export async function newCertificate(): Promise<{ pem: string; privateKey: string }> {
  const privateKey = await generateKeyPem();
  return { privateKey, pem: await issueAuthority(privateKey, Date.now()) };
}
export const signedBy = (key: string, text: string): string =>
  sign("sha256", Buffer.from(text), key).toString("base64");

/** What a certificate's owner shows at the door of an installation. */
export const providerCredential = (pem: string, client_public_key_signature: string) => ({
  client_payment_service_provider_certificate: pem,
  client_payment_service_provider_certificate_chain: pem,
  client_public_key_signature,
});

export async function newProvider(instance: () => Instance): Promise<BankPerson> {
  const { pem, privateKey } = await newCertificate();
  const path = "/payment-service-provider-credential";
  const door = await newPerson(instance);
  const id = await door.made(path, providerCredential(pem, signedBy(privateKey, PUBLIC_PEM)));
  const { token_value } = await door.done("GET", `${path}/${id}`);
  const provider = new BankPerson(instance);
  await provider.install();
  await provider.register(token_value);
  const { body } = await provider.open(token_value);
  provider.userId = body.UserPaymentServiceProvider.id;
  return provider;
}
