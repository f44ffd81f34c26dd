/** Backups and restores of an account do not reach resources of another, whatever they are told. */
import { beforeAll, expect, it } from "vitest";
import { Backups } from "../../../tests/support/backup.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { type AccountName, accounts, onBothDatabases } from "../../../tests/support/medley.ts";

const STORE = "Vendor::AppConfiguration::ConfigurationStore";
const CLIENT = "Vendor::Identity::Client";

onBothDatabases("sources of other accounts", (instance, kind) => {
  const { id: second } = accounts.second;
  const thief = new Backups(instance, "us-east-1", "second");
  const role = `arn:vendor:iam::${second}:role/backup`;
  const backUp = async (ResourceArn: string) => {
    const request = { BackupVaultName: "main", ResourceArn, IamRoleArn: role };
    return thief.backupEnd((await thief.well("PUT", "/backup-jobs", request)).BackupJobId);
  };
  const restore = async (RecoveryPointArn: string, Metadata: Record<string, string>) => {
    const request = { RecoveryPointArn, Metadata, IamRoleArn: role };
    return thief.restoreEnd((await thief.well("PUT", "/restore-jobs", request)).RestoreJobId);
  };
  const arnOf = (type: string, name: string) =>
    eventually(async () => {
      const { body } = await instance().bearer("GET", `/_medley/resources?type=${type}&account=${second}`);
      return body.resources.find((one: { name: string }) => one.name === name)?.arn as string;
    }, `the resource ${name}`);

  beforeAll(() => thief.vault("main"));
  it("a configuration store is neither read nor written", async () => {
    const makeStore = async (as: AccountName, name: string) => {
      const id = `/subscriptions/${as}-${kind}/resourceGroups/shop/providers/Vendor.AppConfiguration`;
      const path = `/management${id}/configurationStores/${name}?api-version=2019-11-01-preview`;
      const body = { location: "westus", sku: { name: "Standard" } };
      expect((await instance().bearer("PUT", path, { as, body })).status).toBeLessThan(300);
      const put = () => data(as, name, "PUT", { value: `of ${as}` });
      await eventually(async () => (await put()).status === 200, "the store");
    };
    const data = (as: AccountName, store: string, method: string, body?: object) =>
      instance().bearer(method, `/configuration/${store}/kv/title?api-version=2023-11-01`, { as, body });
    const [mine, theirs] = [`mine-${kind}`, `theirs-${kind}`];
    await makeStore("first", theirs);
    await makeStore("second", mine);
    const point = (await backUp(await arnOf(STORE, mine))).RecoveryPointArn;
    const written = await restore(point, { storeName: theirs, inPlace: "true" });
    expect([written.Status, written.StatusMessage]).toEqual(["FAILED", expect.stringContaining("already")]);
    expect((await data("first", theirs, "GET")).body.value).toBe("of first");

    const arn = `arn:vendor:outside:us-east-1:${second}:store/${theirs}`;
    const body = { account: second, arn, type: STORE, name: theirs };
    expect((await instance().bearer("PUT", "/_medley/resources", { body })).status).toBe(200);
    const read = await backUp(arn);
    expect([read.State, read.StatusMessage]).toEqual(["FAILED", expect.stringContaining("no store")]);
  });

  it("a client of the identity service is not written", async () => {
    const register = async (as: AccountName, client_name: string) => {
      const address = "https://shop.example.org";
      const body = { client_name, client_uri: address, redirect_uris: [`${address}/answer`] };
      return (await instance().bearer("POST", "/identity/client", { as, body })).body.client_id as string;
    };
    const theirs = await register("first", "Theirs");
    await register("second", "Mine");
    const point = (await backUp(await arnOf(CLIENT, "Mine"))).RecoveryPointArn;
    const written = await restore(point, { clientId: theirs, inPlace: "true" });
    expect([written.Status, written.StatusMessage]).toEqual(["FAILED", expect.stringContaining("already")]);
    const { body } = await instance().bearer("GET", `/identity/client/${theirs}`);
    expect(body.client_name).toBe("Theirs");
  });
});
