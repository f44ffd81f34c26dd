/** Session keys by the maker's own clients, unmodified: got, used in every signed service, restricted, and ended by the clock. */
import { BackupClient, CreateBackupVaultCommand, ListBackupVaultsCommand } from "@aws-sdk/client-backup";
import { IoTEventsClient, ListInputsCommand } from "@aws-sdk/client-iot-events";
import { ListConfigurationSetsCommand, PinpointSMSVoiceClient } from "@aws-sdk/client-pinpoint-sms-voice";
import { CreateGroupCommand, ListGroupsCommand, ResourceGroupsClient } from "@aws-sdk/client-resource-groups";
import {
  AssumeRoleCommand,
  GetCallerIdentityCommand,
  GetSessionTokenCommand,
  MalformedPolicyDocumentException,
  STSClient,
} from "@aws-sdk/client-sts";
import { fromTemporaryCredentials } from "@aws-sdk/credential-providers";
import { afterAll, describe, expect, it } from "vitest";
import { accounts, onBothDatabases } from "../support/medley.ts";
import { accountWith, allow } from "../support/policies.ts";

const [key] = accounts.first.accessKeys;
const long = { accessKeyId: key!.id, secretAccessKey: key!.secret };
const roleArn = (name: string) => `arn:aws:iam::${accounts.first.id}:role/${name}`;
type Keys = { accessKeyId: string; secretAccessKey: string; sessionToken?: string };
type Given = {
  AccessKeyId?: string | undefined;
  SecretAccessKey?: string | undefined;
  SessionToken?: string | undefined;
};
const keysOf = (given: Given | undefined): Keys => ({
  accessKeyId: given?.AccessKeyId ?? "",
  secretAccessKey: given?.SecretAccessKey ?? "",
  sessionToken: given?.SessionToken ?? "",
});

onBothDatabases("the maker's clients", (instance) => {
  const clients: { destroy(): void }[] = [];
  afterAll(() => {
    for (const client of clients) client.destroy();
  });
  const settings = (mount: string, credentials: unknown = long) => ({
    endpoint: `${instance().url}${mount}`,
    region: "eu-central-1",
    credentials: credentials as Keys,
    maxAttempts: 1,
  });
  const kept = <Client extends { destroy(): void }>(client: Client): Client => {
    clients.push(client);
    return client;
  };
  const sts = (credentials?: unknown) => kept(new STSClient(settings("/sts", credentials)));
  const groups = (credentials?: unknown) =>
    kept(new ResourceGroupsClient(settings("/resource-groups", credentials)));
  const putRole = async (name: string, body: object) => {
    const made = await instance().signed("sts", "PUT", `/sts/roles/${name}`, { body });
    expect(made.status, made.text).toBe(201);
  };
  const reading = {
    Statement: [{ Effect: "Allow", Action: ["*:List*", "*:Get*", "sts:AssumeRole"], Resource: "*" }],
  };

  it("tells who is asking", async () => {
    expect(await sts().send(new GetCallerIdentityCommand({}))).toMatchObject({
      Account: accounts.first.id,
      Arn: `arn:aws:iam::${accounts.first.id}:user/${long.accessKeyId}`,
      UserId: expect.stringMatching(/^AIDA[0-9A-Z]{17}$/),
    });
    const { settings: mine } = await accountWith(instance(), "/sts", []);
    const client = kept(new STSClient(mine));
    expect((await client.send(new GetCallerIdentityCommand({}))).Arn).toContain(":user/MDLYPOLICY");
    // Whoever has a key may have one for a session: it opens no more than the key does.
    const { Credentials } = await client.send(new GetSessionTokenCommand({}));
    await expect(groups(keysOf(Credentials)).send(new ListGroupsCommand({}))).rejects.toMatchObject({
      $metadata: { httpStatusCode: 403 },
    });
  });

  it("fromTemporaryCredentials takes a role, whose policy restricts what its account may", async () => {
    await putRole("reader", { policy: reading });
    const credentials = fromTemporaryCredentials({
      masterCredentials: long,
      clientConfig: settings("/sts"),
      params: { RoleArn: roleArn("reader"), RoleSessionName: "story" },
    });
    const client = groups(credentials);
    expect((await client.send(new ListGroupsCommand({}))).GroupIdentifiers).toEqual([]);
    await expect(client.send(new CreateGroupCommand({ Name: "mine" }))).rejects.toMatchObject({
      name: "ForbiddenException",
      message: expect.stringContaining("assumed-role/reader/story is not allowed to perform"),
    });
    expect((await sts(credentials).send(new GetCallerIdentityCommand({}))).Arn).toBe(
      `arn:aws:sts::${accounts.first.id}:assumed-role/reader/story`,
    );
  });

  it("a session policy restricts further, and grants nothing", async () => {
    const Policy = (Action: string) =>
      JSON.stringify({ Version: "2012-10-17", Statement: [{ Effect: "Allow", Action, Resource: "*" }] });
    const assume = async (policy: string) => {
      const wanted = { RoleArn: roleArn("reader"), RoleSessionName: "narrow", Policy: policy };
      return sts().send(new AssumeRoleCommand(wanted));
    };
    const narrow = await assume(Policy("backup:*"));
    expect(narrow.PackedPolicySize).toBe(5);
    const backup = kept(new BackupClient(settings("/backup", keysOf(narrow.Credentials))));
    expect((await backup.send(new ListBackupVaultsCommand({}))).$metadata.httpStatusCode).toBe(200);
    await expect(
      backup.send(new CreateBackupVaultCommand({ BackupVaultName: "mine" })),
    ).rejects.toMatchObject({
      $metadata: { httpStatusCode: 403 },
    });
    await expect(groups(keysOf(narrow.Credentials)).send(new ListGroupsCommand({}))).rejects.toMatchObject({
      $metadata: { httpStatusCode: 403 },
    });
    await expect(assume("{}")).rejects.toBeInstanceOf(MalformedPolicyDocumentException);
  });

  it("a session opens every signed service, and makes no further session of itself", async () => {
    const { Credentials } = await sts().send(new GetSessionTokenCommand({ DurationSeconds: 900 }));
    const keys = keysOf(Credentials);
    expect(keys.accessKeyId).toMatch(/^ASIA[0-9A-Z]{16}$/);
    await groups(keys).send(new CreateGroupCommand({ Name: "by-session" }));
    await kept(new IoTEventsClient(settings("/events", keys))).send(new ListInputsCommand({}));
    await kept(new BackupClient(settings("/backup", keys))).send(new ListBackupVaultsCommand({}));
    await kept(new PinpointSMSVoiceClient(settings("/voice", keys))).send(
      new ListConfigurationSetsCommand({}),
    );
    expect((await sts(keys).send(new GetCallerIdentityCommand({}))).Arn).toContain(
      `user/${long.accessKeyId}`,
    );
    await expect(sts(keys).send(new GetSessionTokenCommand({}))).rejects.toMatchObject({
      name: "AccessDenied",
    });
    const { sessionToken: _token, ...tokenless } = keys;
    for (const wrong of [tokenless, { ...keys, sessionToken: "other" }])
      await expect(sts(wrong).send(new GetCallerIdentityCommand({}))).rejects.toMatchObject({
        name: "InvalidClientTokenId",
      });
    const { Credentials: chained } = await sts(keys).send(
      new AssumeRoleCommand({ RoleArn: roleArn("reader"), RoleSessionName: "from-session" }),
    );
    expect((await groups(keysOf(chained)).send(new ListGroupsCommand({}))).GroupIdentifiers).toHaveLength(1);
  });

  describe("the end of a session", () => {
    it("comes with the clock", async () => {
      await putRole("short", {});
      const { Credentials } = await sts().send(
        new AssumeRoleCommand({ RoleArn: roleArn("short"), RoleSessionName: "brief", DurationSeconds: 900 }),
      );
      const keys = keysOf(Credentials);
      await groups(keys).send(new ListGroupsCommand({}));
      await instance().clock.advance("16m");
      await expect(groups(keys).send(new ListGroupsCommand({}))).rejects.toMatchObject({
        name: "ExpiredTokenException",
      });
      await expect(sts(keys).send(new GetCallerIdentityCommand({}))).rejects.toMatchObject({
        name: expect.stringMatching(/^ExpiredToken/),
      });
    });
    it("comes with the key that it was got with", async () => {
      const { id, settings: mine } = await accountWith(instance(), "/sts", [allow(["*"])]);
      const { Credentials } = await kept(new STSClient(mine)).send(new GetSessionTokenCommand({}));
      const keys = keysOf(Credentials);
      expect((await sts(keys).send(new GetCallerIdentityCommand({}))).Account).toBe(id);
      const { body } = await instance().bearer("GET", "/_medley/credentials");
      const { credentials } = body.accounts.find((account: { id: string }) => account.id === id);
      await instance().bearer("DELETE", `/_medley/credentials?id=${credentials[0].id}`);
      await expect(sts(keys).send(new GetCallerIdentityCommand({}))).rejects.toMatchObject({
        name: "InvalidClientTokenId",
      });
    });
  });
});
