/** Callers of language authoring: what is right, what is refused, and an application to try things on. */
import { expect } from "vitest";
import { eventually } from "./eventually.ts";
import type { Instance, SendOptions } from "./medley.ts";

const BASE = "/language/luis/authoring/v3.0-preview";
export const NOWHERE = "00000000-0000-4000-8000-000000000000";
export const DONE = { code: "Success", message: "Operation Successful" };

export function authoring(instance: () => Instance) {
  const send = (method: string, path: string, options: SendOptions = {}) =>
    instance().apiKey("Vendor-Subscription-Key", method, `${BASE}${path}`, options);
  const ok = async (method: string, path: string, body?: unknown) => {
    const sent = await send(method, path, { ...(body !== undefined && { body }) });
    expect(sent.status, `${method} ${path} ${sent.text}`).toBeLessThan(300);
    return sent.body;
  };
  const refused = async (method: string, path: string, body?: unknown): Promise<string> => {
    const sent = await send(method, path, { ...(body !== undefined && { body }) });
    expect([sent.status, sent.body.errorType], `${method} ${path} ${sent.text}`).toEqual([
      400,
      "BadArgument",
    ]);
    return sent.body.error.message;
  };
  let count = 0;
  const newApp = async (words: object = {}): Promise<{ app: string; v: string }> => {
    count += 1;
    const id = await ok("POST", "/apps/", { name: `app ${count}`, culture: "en-us", ...words });
    return { app: `/apps/${id}`, v: `/apps/${id}/versions/0.1` };
  };
  const label = (v: string, text: string, intentName: string, entityLabels: object[] = []) =>
    ok("POST", `${v}/example`, { text, intentName, entityLabels });
  const train = async (v: string) => {
    await ok("POST", `${v}/train`);
    await eventually(async () => {
      const models: { details: { status: string } }[] = await ok("GET", `${v}/train`);
      return models.every(({ details }) => details.status !== "Queued" && details.status !== "InProgress");
    }, "the end of the training");
    return ok("GET", `${v}/train`);
  };
  return { send, ok, refused, newApp, label, train };
}
