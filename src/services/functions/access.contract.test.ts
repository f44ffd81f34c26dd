/** Access to functions: policies, secrets, upgrades, archive addresses and accounts. */
import { describe, expect, it } from "vitest";
import { Functions, PLACE, zipOf } from "../../../tests/support/functions.ts";
import { accounts, onBothDatabases } from "../../../tests/support/medley.ts";

const HELLO = "exports.hello = (q, s) => s.send('hello ' + (process.env.KEY ?? ''));";
const INVOKER = "roles/cloudfunctions.invoker";

onBothDatabases("access to functions", (instance) => {
  const functions = new Functions(instance);
  const elsewhere = new Functions(instance, "projects/demo/locations/europe-west1");
  const others = new Functions(instance, "projects/theirs/locations/us-central1", "second");
  const policyOf = async (query = "") =>
    (await functions.send("GET", `${functions.nameOf("guarded")}:getIamPolicy${query}`)).body;
  const as = (token: string | undefined) =>
    token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } };

  it("is decided by the policy", async () => {
    await functions.create("guarded", { source: HELLO, entryPoint: "hello" });
    const url = await functions.urlOf("guarded");
    const statuses = async () => {
      const all = [undefined, accounts.first.tokens[0], accounts.second.tokens[0], "wrong-token"];
      return Promise.all(all.map(async (token) => (await functions.call(url, as(token))).status));
    };
    expect(await statuses()).toEqual([401, 200, 403, 401]);
    await functions.setPolicy("guarded", [
      { role: INVOKER, members: [`serviceAccount:${accounts.second.id}`] },
    ]);
    expect(await statuses()).toEqual([401, 200, 200, 401]);
    await functions.setPolicy("guarded", [{ role: "roles/run.invoker", members: ["allAuthenticatedUsers"] }]);
    expect(await statuses()).toEqual([401, 200, 200, 401]);
    await functions.setPolicy("guarded", [{ role: INVOKER, members: ["allUsers"] }]);
    expect(await statuses()).toEqual([200, 200, 200, 200]);
  });

  it("may depend on conditions, on the kernel's clock", async () => {
    const url = await functions.urlOf("guarded");
    const until = new Date(instance().clock.nowMs() + 3_600_000).toISOString();
    const binding = {
      role: INVOKER,
      members: ["allUsers"],
      condition: {
        title: "for an hour",
        expression: `request.time < timestamp("${until}") && resource.name.endsWith("guarded")`,
      },
    };
    expect((await functions.setPolicy("guarded", [binding])).body.error.message).toContain("version 3");
    expect((await functions.setPolicy("guarded", [binding], { version: 3 })).body).toMatchObject({
      version: 3,
      bindings: [{ condition: { title: "for an hour" } }],
    });
    expect((await functions.call(url)).status).toBe(200);
    expect((await policyOf()).bindings).toEqual([]);
    expect((await policyOf("?options.requestedPolicyVersion=3")).bindings).toHaveLength(1);
    expect(
      (
        await functions.send(
          "GET",
          `${functions.nameOf("guarded")}:getIamPolicy?options.requestedPolicyVersion=2`,
        )
      ).status,
    ).toBe(400);
    await instance().clock.advance("2h");
    expect((await functions.call(url)).status).toBe(401);
    for (const expression of ["1 +", "name.matches // x\n('(a+)+$')", "[1].all(x, x > 0)"])
      expect(
        (await functions.setPolicy("guarded", [{ ...binding, condition: { expression } }], { version: 3 }))
          .status,
      ).toBe(400);
  });

  it("policies are checked, and changed only as they were read", async () => {
    const { etag } = await policyOf("?options.requestedPolicyVersion=3");
    const set = (bindings: object[], extra: object) => functions.setPolicy("guarded", bindings, extra);
    expect((await set([], { etag: "c3RhbGU=" })).body.error.status).toBe("ABORTED");
    // A policy that was read without its conditions cannot be written back, because the conditions would be
    // lost.
    const { bindings, ...read } = await policyOf();
    const lossy = await set(bindings, read);
    expect([lossy.status, lossy.body.error.message]).toEqual([
      400,
      expect.stringContaining("policy version (1)"),
    ]);
    expect((await policyOf("?options.requestedPolicyVersion=3")).bindings).toHaveLength(1);
    expect((await set([{ role: INVOKER, members: ["allUsers"] }], { etag, version: 3 })).status).toBe(200);
    expect((await set([{ role: "roles/none", members: ["allUsers"] }], {})).status).toBe(400);
    expect((await set([{ role: INVOKER, members: ["somebody"] }], {})).status).toBe(400);
    const test = (permissions: string[], path = "v2") =>
      instance().bearer("POST", `/functions/${path}/${functions.nameOf("guarded")}:testIamPermissions`, {
        body: { permissions },
      });
    expect(
      (await test(["cloudfunctions.functions.invoke", "cloudfunctions.functions.update"])).body.permissions,
    ).toHaveLength(2);
    expect((await test(["cloudfunctions.functions.fly"])).status).toBe(400);
    expect((await test([], "v1")).body).toEqual({});
    const v1 = await instance().bearer("POST", `/v1/${functions.nameOf("guarded")}:getIamPolicy`, {
      body: { options: { requestedPolicyVersion: 3 } },
    });
    expect(v1.body.bindings).toEqual([{ role: INVOKER, members: ["allUsers"] }]);
    expect(
      (
        await instance().bearer("POST", `/v1/${functions.nameOf("guarded")}:setIamPolicy`, {
          body: { policy: { bindings: [] } },
        })
      ).body.bindings,
    ).toEqual([]);
    expect(
      (await instance().bearer("GET", "/v1/projects/demo/locations")).body.locations.length,
    ).toBeGreaterThan(5);
    expect((await instance().bearer("GET", "/v1/projects/demo/locations/us-central1")).body.locationId).toBe(
      "us-central1",
    );
    expect((await instance().bearer("GET", "/v1/projects/demo/locations/moon-base1")).status).toBe(404);
  });

  it("secrets reach the function and nobody else", async () => {
    const value = "an-unlikely-secret-value";
    const added = await instance().bearer("POST", "/functions/v1/projects/demo/secrets/api-key:addVersion", {
      body: { payload: { data: Buffer.from(value).toString("base64") } },
    });
    expect(added.body.name).toBe("projects/demo/secrets/api-key/versions/1");
    const url = await functions.running("secretive", {
      source: HELLO,
      entryPoint: "hello",
      service: { secretEnvironmentVariables: [{ key: "KEY", secret: "api-key", version: "latest" }] },
    });
    expect((await functions.call(url)).text).toBe(`hello ${value}`);
    expect(JSON.stringify((await functions.send("GET", functions.nameOf("secretive"))).body)).not.toContain(
      value,
    );
    expect((await instance().bearer("GET", "/_medley/requests?limit=500")).text).not.toContain(
      Buffer.from(value).toString("base64"),
    );
  });

  it("a function that calls must be encrypted for sends others there", async () => {
    const url = await functions.running("encrypted", {
      source: HELLO,
      entryPoint: "hello",
      service: { securityLevel: "SECURE_ALWAYS" },
    });
    const answer = await functions.call(url);
    expect([answer.status, answer.headers.get("location")]).toEqual([302, url.replace("http:", "https:")]);
  });

  it("a function of the first generation is upgraded step by step", async () => {
    await functions.ended(
      await functions.send("POST", `${functions.place}/functions?functionId=older`, {
        body: {
          ...(await functions.bodyOf("older", { source: HELLO, entryPoint: "hello" })),
          environment: "GEN_1",
        },
      }),
    );
    const step = async (verb: string) => {
      const begun = await functions.send("POST", `${functions.nameOf("older")}:${verb}`, { body: {} });
      if (begun.status !== 200) return begun.body.error.status;
      const { response } = await functions.ended(begun);
      return response.upgradeInfo?.upgradeState ?? response.environment;
    };
    expect(await step("redirectFunctionUpgradeTraffic")).toBe("FAILED_PRECONDITION");
    expect(await step("setupFunctionUpgradeConfig")).toBe("SETUP_FUNCTION_UPGRADE_CONFIG_SUCCESSFUL");
    expect(await step("abortFunctionUpgrade")).toBe("ELIGIBLE_FOR_2ND_GEN_UPGRADE");
    expect(await step("setupFunctionUpgradeConfig")).toBe("SETUP_FUNCTION_UPGRADE_CONFIG_SUCCESSFUL");
    expect(await step("redirectFunctionUpgradeTraffic")).toBe("REDIRECT_FUNCTION_UPGRADE_TRAFFIC_SUCCESSFUL");
    expect(await step("rollbackFunctionUpgradeTraffic")).toBe("SETUP_FUNCTION_UPGRADE_CONFIG_SUCCESSFUL");
    expect(await step("redirectFunctionUpgradeTraffic")).toBe("REDIRECT_FUNCTION_UPGRADE_TRAFFIC_SUCCESSFUL");
    expect(await step("commitFunctionUpgrade")).toBe("GEN_2");
    expect(await step("commitFunctionUpgrade")).toBe("FAILED_PRECONDITION");
  });

  describe("archives", () => {
    it("go up and come down by addresses of their own", async () => {
      const zip = await zipOf({ "index.js": HELLO });
      expect(
        (
          await functions.send("POST", `${PLACE}/functions:generateUploadUrl`, {
            body: { kmsKeyName: "key" },
          })
        ).status,
      ).toBe(400);
      const { uploadUrl, storageSource } = (
        await functions.send("POST", `${PLACE}/functions:generateUploadUrl`)
      ).body;
      const put = (url: string, headers: Record<string, string>, body: Buffer = zip) =>
        instance().send("PUT", url, { body, headers });
      const type = { "content-type": "application/zip" };
      expect((await put(uploadUrl, { ...type, authorization: `Bearer ${functions.token}` })).status).toBe(
        400,
      );
      expect((await put(uploadUrl, { "content-type": "text/plain" })).status).toBe(400);
      expect((await put(uploadUrl, type, Buffer.alloc(0))).status).toBe(400);
      expect((await put(`${uploadUrl.slice(0, -3)}AAA`, type)).status).toBe(401);
      expect((await instance().send("GET", uploadUrl)).status).toBe(403);
      expect((await put(uploadUrl, type)).status).toBe(200);
      const body = { buildConfig: { runtime: "nodejs20", entryPoint: "hello", source: { storageSource } } };
      expect(storageSource.generation).toBe("0");
      await functions.ended(await functions.send("POST", `${PLACE}/functions?functionId=archived`, { body }));
      const { downloadUrl } = (
        await functions.send("POST", `${functions.nameOf("archived")}:generateDownloadUrl`, { body: {} })
      ).body;
      const whole = await instance().send("GET", downloadUrl);
      expect(whole.bytes.equals(zip)).toBe(true);
      const head = await instance().send("HEAD", downloadUrl);
      expect([head.status, head.headers.get("content-length"), head.bytes.length]).toEqual([
        200,
        String(zip.length),
        0,
      ]);
      const part = await instance().send("GET", downloadUrl, { headers: { range: "bytes=10-19" } });
      expect([
        part.status,
        part.bytes.equals(zip.subarray(10, 20)),
        part.headers.get("content-range"),
      ]).toEqual([206, true, `bytes 10-19/${zip.length}`]);
      const end = await instance().send("GET", downloadUrl, { headers: { range: "bytes=-5" } });
      expect(end.bytes.equals(zip.subarray(-5))).toBe(true);
      expect(
        (await instance().send("GET", downloadUrl, { headers: { range: `bytes=${zip.length}-` } })).status,
      ).toBe(416);
      expect((await put(downloadUrl, type)).status).toBe(403);
      await instance().clock.advance("31m");
      expect((await instance().send("GET", downloadUrl)).status).toBe(403);
      expect((await put(uploadUrl, type)).status).toBe(403);
    });
  });

  describe("accounts", () => {
    it("do not see each other's functions and projects", async () => {
      await others.create("theirs", { source: HELLO, entryPoint: "hello" });
      expect((await functions.send("GET", others.nameOf("theirs"))).body.error.status).toBe(
        "PERMISSION_DENIED",
      );
      expect((await functions.send("GET", `${PLACE}/functions`, { as: "second" })).status).toBe(403);
      const url = await others.urlOf("theirs");
      const mine = await functions.call(url, { headers: { authorization: `Bearer ${functions.token}` } });
      expect(mine.status).toBe(403);
      expect((await functions.call(url)).status).toBe(401);
      expect((await elsewhere.send("GET", `${elsewhere.place}/functions`)).body.functions).toEqual([]);
      expect((await instance().send("GET", `/functions/v2/${PLACE}/functions`)).body.error.status).toBe(
        "UNAUTHENTICATED",
      );
    });
  });
});
