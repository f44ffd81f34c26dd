/**
 * Backups of managed resources: restored in place and under a new name, selected by tags, on both databases.
 */
import { createHmac } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { Backend } from "../../../tests/support/backend.ts";
import { account, Backups, role } from "../../../tests/support/backup.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { startHttpReceiver } from "../../../tests/support/http-receiver.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

onBothDatabases(
  "content of resource managers",
  (instance, kind) => {
    const backups = new Backups(instance);
    beforeAll(() => backups.vault("main"));
    const root = `/subscriptions/kept-${kind}/resourceGroups/shop/providers`;
    const arm = async (method: string, path: string, version: string, body?: object) => {
      const answered = await instance().bearer(method, `/management${root}/${path}?api-version=${version}`, {
        headers: { "if-match": "*" },
        ...(body && { body }),
      });
      expect([path, answered.status < 300, answered.text]).toEqual([path, true, answered.text]);
      return answered.body;
    };
    const arnOf = async (type: string, name: string): Promise<string> => {
      const { body } = await instance().bearer("GET", `/_medley/resources?type=${type}`);
      return body.resources.find((one: { name: string }) => one.name === name)?.arn;
    };

    it("an API management instance, with everything below it", async () => {
      const backend = new Backend();
      await backend.start();
      const version = "2019-12-01-preview";
      const send = (method: string, service: string, path: string, body?: object) =>
        arm(method, `Vendor.ApiManagement/service/${service}${path}`, version, body);
      const name = `shop-${kind}`;
      await send("PUT", name, "", {
        location: "westus",
        tags: { team: `apis-${kind}` },
        sku: { name: "Developer", capacity: 1 },
        properties: { publisherEmail: "ann@example.org", publisherName: "Ann" },
      });
      const put = (path: string, properties: object) => send("PUT", name, `/${path}`, { properties });
      await put("apis/orders", { path: "orders", serviceUrl: `${backend.url}/v1`, displayName: "Orders" });
      await put("apis/orders/operations/read", { displayName: "r", method: "GET", urlTemplate: "/{id}" });
      await put("namedValues/key", { displayName: "key", value: "open sesame", secret: true });
      await put("apis/orders/policies/policy", {
        value: `<policies><inbound><base /><set-header name="X-Key" exists-action="override"><value>{{key}}</value></set-header></inbound></policies>`,
      });
      await put("apis/orders;rev=2", { path: "orders", sourceApiId: "/apis/orders" });
      await put("apis/orders/releases/one", { apiId: "/apis/orders;rev=2" });
      await put("products/partners", { displayName: "Partners" });
      await send("PUT", name, "/products/partners/apis/orders");
      await put("subscriptions/ann", { scope: "/products/partners", displayName: "Ann" });
      const { primaryKey } = await send("POST", name, "/subscriptions/ann/listSecrets");
      const ask = async (service: string) => {
        const headers = { "ocp-apim-subscription-key": primaryKey };
        const { status } = await instance().send("GET", `/gateway/${service}/orders/1`, { headers });
        return [status, backend.last.headers["x-key"]];
      };
      expect(await ask(name)).toEqual([200, "open sesame"]);
      const shown = async (service: string) => {
        const lists = [
          "apis",
          "apis/orders/operations",
          "namedValues",
          "products",
          "products/partners/subscriptions",
        ];
        const all: unknown[] = [];
        for (const list of lists)
          for (const { id, ...rest } of (await send("GET", service, `/${list}`)).value)
            all.push({ ...rest, id: id.split(`/service/${service}`)[1] });
        return all;
      };
      const before = await shown(name);

      // Chosen by a tag, as a plan does.
      const plan = await backups.well("PUT", "/backup/plans", {
        BackupPlan: {
          BackupPlanName: `apis-${kind}`,
          Rules: [
            { RuleName: "daily", TargetBackupVaultName: "main", ScheduleExpression: "cron(0 5 ? * * *)" },
          ],
        },
      });
      await backups.well("PUT", `/backup/plans/${plan.BackupPlanId}/selections`, {
        BackupSelection: {
          SelectionName: "team",
          IamRoleArn: role,
          ListOfTags: [
            { ConditionType: "STRINGEQUALS", ConditionKey: "team", ConditionValue: `apis-${kind}` },
          ],
        },
      });
      await instance().clock.advance("25h");
      const arn = await arnOf("Vendor::ApiManagement::Service", name);
      const planned = await eventually(async () => {
        const jobs = await backups.all(`/backup-jobs?resourceArn=${encodeURIComponent(arn)}`, "BackupJobs");
        return jobs.find(({ State }) => State === "COMPLETED");
      }, "the planned backup");
      expect([planned.ResourceType, planned.AccountId]).toEqual(["ApiManagementService", account]);
      const point = planned.RecoveryPointArn;

      await send("DELETE", name, "/products/partners/apis/orders");
      await send("DELETE", name, "/namedValues/key");
      await put("apis/later", { path: "later", displayName: "Later" });
      await backups.restoredArn(point, { serviceName: name, inPlace: "true" });
      expect(await shown(name)).toEqual(before);
      expect(await ask(name)).toEqual([200, "open sesame"]);
      expect(await backups.restoredArn(point, { serviceName: `${name}-again` })).toContain(`${name}-again`);
      expect(await shown(`${name}-again`)).toEqual(before);
      expect(await ask(`${name}-again`)).toEqual([200, "open sesame"]);
      const taken = await backups.restored(point, { serviceName: name });
      expect([taken.Status, taken.StatusMessage]).toEqual(["FAILED", expect.stringContaining("inPlace")]);
      await backend.stop();
    });

    it("a job collection, with jobs that run on", async () => {
      const backend = new Backend();
      await backend.start();
      const send = (method: string, path: string, body?: object) =>
        arm(method, `Vendor.Scheduler/jobCollections/${path}`, "2016-03-01", body);
      const name = `nightly-${kind}`;
      await send("PUT", name, { location: "westus", properties: { sku: { name: "Standard" } } });
      await send("PUT", `${name}/jobs/ping`, {
        properties: {
          action: {
            type: "Http",
            request: {
              method: "GET",
              uri: `${backend.url}/ping`,
              authentication: { type: "Basic", username: "ann", password: "sesame" },
            },
          },
          recurrence: { frequency: "Hour", interval: 1 },
          state: "Enabled",
        },
      });
      const point = await backups.pointOf(
        await arnOf("Vendor::Scheduler::JobCollection", name),
        "JobCollection",
      );
      const shown = async (collection: string) => {
        const { properties } = await send("GET", `${collection}/jobs/ping`);
        const { status: _status, ...definition } = properties;
        return definition;
      };
      const before = await shown(name);
      await send("DELETE", name);
      await backups.restoredArn(point, { jobCollectionName: name, inPlace: "true" });
      expect(await shown(name)).toEqual(before);
      await backups.restoredArn(point, { jobCollectionName: `${name}-again` });
      expect(await shown(`${name}-again`)).toEqual(before);
      const asked = backend.asked.length;
      await instance().clock.advance("61m");
      await eventually(() => backend.asked.length >= asked + 2, "both jobs");
      expect(backend.last.headers.authorization).toBe(
        `Basic ${Buffer.from("ann:sesame").toString("base64")}`,
      );
      await backend.stop();
    });

    it("a SQL database, with its settings", async () => {
      const send = (method: string, path: string, body?: object) =>
        arm(method, `Vendor.Sql/servers/kept-${kind}/databases/${path}`, "2017-10-01-preview", body);
      await send("PUT", "orders", { location: "westus", tags: { a: "b" }, sku: { name: "S1" } });
      const point = await backups.pointOf(await arnOf("Vendor::Sql::Database", "orders"), "SqlDatabase");
      const shown = async (name: string) => {
        const { sku, tags, properties } = await send("GET", name);
        return [
          sku,
          tags,
          properties.maxSizeBytes,
          properties.currentServiceObjectiveName,
          properties.collation,
        ];
      };
      const before = await shown("orders");
      await send("PATCH", "orders", { sku: { name: "S3" }, tags: {} });
      expect(await shown("orders")).not.toEqual(before);
      const { properties } = await send("GET", "orders");
      await backups.restoredArn(point, { databaseName: "orders", inPlace: "true" });
      expect(await shown("orders")).toEqual(before);
      expect((await send("GET", "orders")).properties.databaseId).toBe(properties.databaseId);
      await backups.restoredArn(point, { databaseName: "copy" });
      expect(await shown("copy")).toEqual(before);
      expect((await send("GET", "copy")).properties.databaseId).not.toBe(properties.databaseId);
    });

    it("an input of event detection", async () => {
      const events = (method: string, path: string, body?: object) =>
        instance().signed("iotevents", method, `/events${path}`, { body });
      const name = `Pressure${kind}`;
      const inputDefinition = { attributes: [{ jsonPath: "id" }, { jsonPath: "value.bar" }] };
      await events("POST", "/inputs", { inputName: name, inputDescription: "pumps", inputDefinition });
      const arn = `arn:vendor:iotevents:us-east-1:${account}:input/${name}`;
      const point = await backups.pointOf(arn, "EventInput");
      await events("PUT", `/inputs/${name}`, { inputDefinition: { attributes: [{ jsonPath: "other" }] } });
      await backups.restoredArn(point, { inputName: name, inPlace: "true" });
      await backups.restoredArn(point, { inputName: `${name}Again` });
      for (const one of [name, `${name}Again`]) {
        const { body } = await events("GET", `/inputs/${one}`);
        expect(body.input.inputDefinition).toEqual(inputDefinition);
        expect(body.input.inputConfiguration.inputDescription).toBe("pumps");
      }
    });

    it("a client of the identity service, whose secret goes on to work", async () => {
      const send = (method: string, path: string, body?: object) =>
        instance().bearer(method, `/identity${path}`, body ? { body } : {});
      const address = "https://shop.example.org";
      const { body: client } = await send("POST", "/client", {
        client_name: `Shop ${kind}`,
        client_uri: address,
        redirect_uris: [`${address}/answer`],
        id_token_signed_response_alg: "HS256",
      });
      const { client_secret, registration_access_token: token } = client;
      const read = async (id: string) => {
        const {
          client_id: _id,
          registration_client_uri: _uri,
          ...rest
        } = (await send("GET", `/client/${id}`)).body;
        return rest;
      };
      const before = await read(client.client_id);
      const point = await backups.pointOf(
        await arnOf("Vendor::Identity::Client", `Shop ${kind}`),
        "IdentityClient",
      );
      expect((await send("DELETE", `/client/${client.client_id}`)).status).toBeLessThan(300);
      expect(await arnOf("Vendor::Identity::Client", `Shop ${kind}`)).toBeUndefined();
      await backups.restoredArn(point, { clientId: client.client_id, inPlace: "true" });
      expect(await read(client.client_id)).toEqual(before);
      const own = await instance().send("GET", `/identity/client/${client.client_id}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(own.status).toBe(200);
      const asked = (id: string, secret: string) =>
        instance().send("POST", "/identity/token", {
          headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}` },
          body: new URLSearchParams({
            grant_type: "authorization_code",
            code: "none",
            redirect_uri: `${address}/answer`,
          }),
        });
      // With the right client secret, the error is about the code and not about the client.
      expect((await asked(client.client_id, client_secret)).body.error).toBe("invalid_grant");
      expect((await asked(client.client_id, "wrong")).body.error).toBe("invalid_client");
      const copy =
        (await backups.restoredArn(point, { clientName: `Copy ${kind}` })).split("client/")[1] ?? "";
      expect(await read(copy)).toEqual({ ...before, client_name: `Copy ${kind}` });
      expect((await asked(copy, client_secret)).body.error).toBe("invalid_grant");
      const longest = "c".repeat(128);
      await backups.restoredArn(point, { clientId: longest });
      expect((await asked(longest, client_secret)).body.error).toBe("invalid_grant");
      for (const clientId of [`${longest}c`, "a client", ""])
        expect(await backups.restored(point, { clientId })).toMatchObject({
          Status: "FAILED",
          StatusMessage: "clientId has up to 128 letters, digits, dots, dashes and underscores.",
        });
    });

    it("a web address is told what happens in a vault", async () => {
      const receiver = await startHttpReceiver();
      const path = "/backup-vaults/main/notification-endpoint";
      expect(await backups.refusal("GET", path)).toContain("ResourceNotFound");
      const wanted = { Url: `${receiver.url}/hook`, BackupVaultEvents: ["BACKUP_JOB_COMPLETED"] };
      const { Secret, ...made } = await backups.well("PUT", path, wanted);
      expect([made, await backups.well("GET", path)]).toEqual([wanted, wanted]);
      const events = (method: string, at: string, body: object) =>
        instance().signed("iotevents", method, `/events${at}`, { body });
      const inputDefinition = { attributes: [{ jsonPath: "id" }] };
      await events("POST", "/inputs", { inputName: `Told${kind}`, inputDefinition });
      const arn = `arn:vendor:iotevents:us-east-1:${account}:input/Told${kind}`;
      await backups.pointOf(arn, "EventInput");
      const { body, headers } = await receiver.waitFor(1);
      expect(JSON.parse(body)).toMatchObject({ EventType: "BACKUP_JOB_COMPLETED", BackupVaultName: "main" });
      const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
      expect(headers["webhook-signature"]).toBe(
        `v1,${createHmac("sha256", Secret).update(signed).digest("base64")}`,
      );
      await receiver.stop();
      await backups.well("DELETE", path);
      expect(await backups.refusal("GET", path)).toContain("ResourceNotFound");
      for (const Url of ["ftp://example.org", "none", "https://a:b@example.org"])
        expect(await backups.refusal("PUT", path, { ...wanted, Url })).toContain("InvalidParameterValue");
    });

    it("playlists and curated lists of podcasts", async () => {
      const send = async (method: string, path: string, body?: object) => {
        const answered = await instance().bearer(method, `/podcasts/api/v2${path}`, body ? { body } : {});
        expect([path, answered.status, answered.text]).toEqual([path, 200, answered.text]);
        return answered.body;
      };
      const { id } = await send("POST", "/playlists", { name: `Walks ${kind}`, description: "Long ones." });
      for (const title of ["one", "two"])
        await send("POST", `/playlists/${id}/items`, {
          type: "custom_audio",
          audio: `https://example.org/${title}.mp3`,
          title,
          audio_length_sec: 60,
        });
      const shown = async (list: string) => {
        const { id: _id, vendor_url: _url, ...rest } = await send("GET", `/playlists/${list}`);
        return rest;
      };
      const before = await shown(id);
      expect(before.items).toHaveLength(2);
      const point = await backups.pointOf(
        await arnOf("Vendor::Podcasts::Playlist", `Walks ${kind}`),
        "PodcastPlaylist",
      );
      await send("DELETE", `/playlists/${id}/items/1`);
      await backups.restoredArn(point, { listId: id, inPlace: "true" });
      expect(await shown(id)).toEqual(before);
      const copy =
        (await backups.restoredArn(point, { listName: `Again ${kind}` })).split("playlist/")[1] ?? "";
      expect(await shown(copy)).toEqual({ ...before, name: `Again ${kind}` });

      const curated = await send("POST", "/curated_podcasts", { title: `Gardens ${kind}`, podcast_ids: [] });
      const kept = await backups.pointOf(
        await arnOf("Vendor::Podcasts::CuratedList", `Gardens ${kind}`),
        "PodcastCuratedList",
      );
      await send("DELETE", `/curated_podcasts/${curated.id}`);
      await backups.restoredArn(kept, { listId: curated.id });
      expect(await send("GET", `/curated_podcasts/${curated.id}`)).toEqual(curated);
    });
  },
  { provisioningSeconds: 0 },
);
