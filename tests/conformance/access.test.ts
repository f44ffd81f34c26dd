/**
 * Who may call what, made from the declarations: every operation asked by nobody, by an account that no policy allows anything,
 * and by one that may do everything. What needs no credential is listed, so that it is a decision.
 */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadServices } from "../../src/app/services.ts";
import { IDENTIFY } from "../../src/kernel/auth/index.ts";
import { anyone, mediaTypesOf, type Operation, type Service } from "../../src/kernel/operation/index.ts";
import { sendAs } from "../support/credential-schemes.ts";
import { type AccountName, accounts, type Instance, startInstance } from "../support/medley.ts";
import { requestsFor, requiredQuery } from "./requests.ts";

const AT_ONCE = 16;
type One = { readonly service: Service; readonly operation: Operation };

const services = await loadServices();
const every: readonly One[] = services.flatMap((service) =>
  service.operations.map((operation) => ({ service, operation })),
);
/** Pages of the identity service know their owner by a cookie alone: for every other credential they are closed. */
const isByCookie = ({ operation }: One): boolean => operation.id.startsWith("identity.pages.");
/** The link is the credential: whoever has none that is good gets no further. */
const isByLink = ({ operation }: One): boolean => operation.id.startsWith("functions.sources.");
/** A store that is not there looks like one that is not the caller's. */
const hidesWhatIsMissing = ({ service }: One): boolean => service.name === "configuration-data";
/** What it puts may forbid something to everybody, so it is asked for last. */
const putsPolicy = ({ operation }: One): boolean => operation.id === "backup.PutBackupVaultAccessPolicy";
/** Every account may ask who it is, and have a key for a session of its own. */
const needsNoPolicy = ({ operation }: One): boolean => operation.permission === IDENTIFY;
const closed = every.filter(({ operation }) => operation.permission !== anyone);
const isEndless = ({ operation }: One): boolean =>
  Object.values(operation.answers).some((schema) => mediaTypesOf(schema)?.includes("text/event-stream"));

let instance: Instance;
beforeAll(async () => {
  const file = join(mkdtempSync(join(tmpdir(), "access-")), "credentials.json");
  const { first, second } = accounts;
  writeFileSync(file, JSON.stringify({ accounts: [first, { ...second, policies: [] }] }));
  instance = await startInstance({ credentialsFile: file, recordFolder: undefined });
});
afterAll(() => instance?.stop());

async function statusOf({ service, operation }: One, as: AccountName): Promise<number> {
  const [made] = requestsFor(service, operation, requiredQuery(service, operation));
  const reads = operation.method === "GET" || operation.method === "HEAD";
  const sent = !reads && operation.body ? { body: JSON.stringify(made?.body) } : {};
  const headers = { "content-type": "application/json" };
  const options = { as, ...(reads ? {} : { ...sent, headers }) };
  // The vaults of other accounts are closed, also those that are missing.
  const path = made!.path.replace(/(backupVaultAccountId=)\d+/, `$1${accounts[as].id}`);
  return (await sendAs(instance, service, operation.method, path, options)).status;
}
async function each<T>(all: readonly One[], ask: (one: One) => Promise<T>): Promise<T[]> {
  const answers: T[] = [];
  for (let start = 0; start < all.length; start += AT_ONCE)
    answers.push(...(await Promise.all(all.slice(start, start + AT_ONCE).map(ask))));
  return answers;
}
const statusNamed = ({ service }: One, kind: "forbidden" | "invalidInput" | "unauthenticated"): number =>
  (service.errorNames?.[kind] ?? service.protocol.errorNames[kind])[1];

describe("an operation that asks for a credential", () => {
  it("refuses an account that no policy allows it", async () => {
    const decided = closed.filter((one) => !needsNoPolicy(one));
    const wrong = await each(decided, async (one) => {
      const status = await statusOf(one, "second");
      const refusals = [statusNamed(one, isByCookie(one) ? "unauthenticated" : "forbidden")];
      // Where the resource is named by the input, that is read first.
      if (one.operation.resource || isByLink(one)) refusals.push(statusNamed(one, "invalidInput"));
      return refusals.includes(status) ? [] : [`${one.operation.id} ${status}`];
    });
    expect(wrong.flat()).toEqual([]);
  });
  it("lets in an account that may do everything", async () => {
    const asked = closed
      .filter((one) => !isEndless(one) && !isByCookie(one) && !hidesWhatIsMissing(one))
      .sort((one, other) => Number(putsPolicy(one)) - Number(putsPolicy(other)));
    const wrong = await each(asked, async (one) => {
      const status = await statusOf(one, "first");
      const refused = [statusNamed(one, "unauthenticated"), statusNamed(one, "forbidden")];
      return refused.includes(status) ? [`${one.operation.id} ${status}`] : [];
    });
    expect(wrong.flat()).toEqual([]);
  });
});
it("no other operation than these is open to anyone", async () => {
  const open = every.filter(({ operation }) => operation.permission === anyone);
  await expect(
    `${open
      .map(({ operation }) => operation.id)
      .sort()
      .join("\n")}\n`,
  ).toMatchFileSnapshot("open-operations.txt");
});
/** Policies that allow reading name actions such as `List*`, so whatever changes something must not be named like that. */
it("what changes something is decided by no permission that is named like reading", async () => {
  const READING = /(?:^|[:./])(?:Batch)?(?:List|Get|Read|Describe|Search|Show|View|Find)[A-Z]|\/read$/;
  const named = every
    .filter(
      ({ operation: { method, permission } }) => !/^(?:GET|HEAD)$/.test(method) && permission !== anyone,
    )
    .filter(({ operation: { permission } }) => READING.test(String(permission)))
    .map(({ operation: { id, permission } }) => `${id} ${String(permission)}`);
  await expect(`${named.sort().join("\n")}\n`).toMatchFileSnapshot("reading-permissions.txt");
});
