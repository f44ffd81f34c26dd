/** Accounts that may do only what their policies say, to ask what happens to their requests. */
import { expect } from "vitest";
import type { Instance } from "./medley.ts";

export type Policy = { effect: "Allow" | "Deny"; actions: string[]; resources: string[] };
export const allow = (actions: string[], resources = ["*"]): Policy => ({
  effect: "Allow",
  actions,
  resources,
});
export const deny = (actions: string[]): Policy => ({ effect: "Deny", actions, resources: ["*"] });

let made = 0;
/** A new account; `ACCOUNT` in a policy's resources stands for its number. Answers it and the settings of a signing client. */
export async function accountWith(instance: Instance, mount: string, policies: readonly Policy[]) {
  made += 1;
  const id = String(500_000_000_000 + made);
  const key = { id: `MDLYPOLICY${id}`, secret: `secret-of-${id}` };
  const own = policies.map((policy) => ({
    ...policy,
    resources: policy.resources.map((text) => text.replace("ACCOUNT", id)),
  }));
  const loaded = await instance.bearer("POST", "/_medley/credentials", {
    body: { accounts: [{ id, accessKeys: [key], policies: own }] },
  });
  expect(loaded.status, loaded.text).toBe(201);
  const settings = {
    endpoint: `${instance.url}${mount}`,
    region: "us-east-1",
    credentials: { accessKeyId: key.id, secretAccessKey: key.secret },
    maxAttempts: 1,
  };
  return { id, settings };
}

type Refusal = {
  readonly message: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
};
/** `allowed`, whatever else went wrong, or the action that the caller may not perform. */
export async function outcomeOf(client: { destroy(): void }, send: () => Promise<unknown>): Promise<string> {
  try {
    await send();
    return "allowed";
  } catch (error) {
    const { message, $metadata } = error as Refusal;
    if ($metadata?.httpStatusCode !== 403) return "allowed";
    return /perform (\S+)/.exec(message)?.[1] ?? message;
  } finally {
    client.destroy();
  }
}
