/** `--credentials file.json`: loading it again changes nothing, loading another adds to what is there. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AssumeRoleCommand, STSClient } from "@aws-sdk/client-sts";
import { expect, it } from "vitest";
import { startMedley } from "../../src/app/start.ts";
import { createDatabase } from "../support/medley.ts";
import { samples } from "../support/sample.ts";

const everything = [{ effect: "Allow", actions: ["*"], resources: ["*"] }];
/** The example of the documentation, word by word. */
const demo = {
  id: "123456789012",
  name: "demo",
  apiKeys: ["demo-api-key"],
  accessKeys: [{ id: "AKIDEXAMPLE", secret: "demo-access-secret" }],
  tokens: ["demo-token-1"],
  basic: [{ username: "demo", password: "demo-password" }],
  users: [{ username: "ann", password: "ann-password", name: "Ann Example", email: "ann@example.org" }],
  policies: everything,
  admin: true,
};
const admin = { authorization: "Bearer demo-token-1" };

it.each(["sqlite", "postgres"])("is idempotent on %s", async (on) => {
  const folder = mkdtempSync(join(tmpdir(), "medley-credentials-"));
  const file = join(folder, "accounts.json");
  const place = {
    data: join(folder, "data"),
    ...(on === "postgres" && { database: await createDatabase() }),
  };
  const services = { services: ["identity"], extraServices: [samples.basic, samples.key] };
  const withFile = async <T>(accounts: object[], use: (url: string) => Promise<T>): Promise<T> => {
    writeFileSync(file, JSON.stringify({ accounts }));
    const medley = await startMedley({ ...place, ...services, credentialsFile: file });
    expect(medley.credentials.accounts).toEqual(accounts);
    try {
      return await use(medley.url);
    } finally {
      await medley.stop();
    }
  };
  const listed = async (url: string) =>
    (await (await fetch(`${url}/_medley/credentials`, { headers: admin })).json()) as {
      accounts: { id: string; credentials: { id: string }[] }[];
    };
  const basic = (password: string) => ({
    authorization: `Basic ${Buffer.from(`demo:${password}`).toString("base64")}`,
  });
  const status = async (url: string, headers: Record<string, string>) =>
    (await fetch(`${url}/sample-basic/notes`, { headers })).status;

  const first = await withFile([demo], listed);
  expect(first.accounts.map(({ id }) => id)).toEqual(["123456789012"]);
  expect(first.accounts[0]?.credentials).toHaveLength(4);
  expect(await withFile([demo], listed)).toEqual(first);

  const changed = {
    ...demo,
    basic: [{ username: "demo", password: "other-password" }],
    tokens: ["demo-token-1"],
  };
  const second = { id: "222222222222", apiKeys: ["second-api-key"], policies: [] };
  await withFile([changed, second], async (url) => {
    const { accounts } = await listed(url);
    expect(accounts.map(({ id, credentials }) => [id, credentials.length])).toEqual([
      ["123456789012", 4],
      ["222222222222", 1],
    ]);
    expect([await status(url, basic("demo-password")), await status(url, basic("other-password"))]).toEqual([
      401, 200,
    ]);
    const keyed = await fetch(`${url}/sample-key/notes`, { headers: { "x-vendor-key": "second-api-key" } });
    expect(keyed.status).toBe(403);
  });
  rmSync(folder, { recursive: true, force: true });
});

it("makes the roles that it names, which another file changes", async () => {
  const folder = mkdtempSync(join(tmpdir(), "medley-credentials-"));
  const file = join(folder, "accounts.json");
  const sessionOf = async (roles: object[]) => {
    writeFileSync(file, JSON.stringify({ accounts: [{ ...demo, roles }] }));
    const medley = await startMedley({
      data: join(folder, "data"),
      services: ["security-tokens"],
      credentialsFile: file,
    });
    const client = new STSClient({
      endpoint: `${medley.url}/sts`,
      region: "us-east-1",
      credentials: { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "demo-access-secret" },
    });
    try {
      const RoleArn = "arn:aws:iam::123456789012:role/reader";
      const asked = { RoleArn, RoleSessionName: "test", DurationSeconds: 7200 };
      return (await client.send(new AssumeRoleCommand(asked))).AssumedRoleUser?.Arn;
    } finally {
      client.destroy();
      await medley.stop();
    }
  };
  const policy = { Statement: [{ Effect: "Allow", Action: "*:List*", Resource: "*" }] };
  await expect(sessionOf([{ name: "reader", policy }])).rejects.toThrow(/MaxSessionDuration/);
  expect(await sessionOf([{ name: "reader", policy, maxSessionDuration: 7200 }])).toMatch(
    /assumed-role\/reader\/test$/,
  );
  // What is not named any more stays.
  expect(await sessionOf([])).toMatch(/assumed-role/);
  const wrong = { Statement: [{ Effect: "Maybe" }] };
  await expect(sessionOf([{ name: "other", policy: wrong }])).rejects.toThrow(/Allow or Deny/);
  rmSync(folder, { recursive: true, force: true });
});

it("tells what is wrong with a file, and where", async () => {
  const folder = mkdtempSync(join(tmpdir(), "medley-credentials-"));
  const file = join(folder, "accounts.json");
  for (const [content, words] of [
    ["{", /not JSON/],
    ["[]", /credentials file at \//],
    ['{"accounts":[{"id":"12"}]}', /\/accounts\/0\/id/],
    ['{"accounts":[{"id":"123456789012","tokens":["short"]}]}', /\/accounts\/0\/tokens\/0/],
    ['{"accounts":[{"id":"123456789012","roles":[{"name":"a b"}]}]}', /\/accounts\/0\/roles\/0\/name/],
    ['{"accounts":[{"id":"123456789012","policies":[{"effect":"Maybe"}]}]}', /\/accounts\/0\/policies\/0/],
  ] as const) {
    writeFileSync(file, content);
    await expect(startMedley({ services: [], credentialsFile: file })).rejects.toThrow(words);
  }
  rmSync(folder, { recursive: true, force: true });
});
