/** Functions over HTTP: deployed, changed, listed, called and deleted, on both databases. */
import { describe, expect, it } from "vitest";
import { Functions, PLACE } from "../../../tests/support/functions.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

const HELLO = `exports.hello = (request, response) => response.send("hello " + (request.query.name ?? "world"));
exports.other = (request, response) => response.json({ other: true, memory: process.env.SIZE });`;

onBothDatabases("functions", (instance) => {
  const functions = new Functions(instance);
  const { send } = { send: functions.send.bind(functions) };

  describe("life", () => {
    it("is made of an archive, answers, is changed and deleted", async () => {
      const body = {
        ...(await functions.bodyOf("hello", { source: HELLO })),
        description: "Says hello.",
        labels: { team: "web" },
      };
      const begun = await send("POST", `${PLACE}/functions?functionId=hello`, { body });
      expect(begun.body).toMatchObject({
        done: false,
        metadata: {
          "@type": "type.googleapis.com/google.cloud.functions.v2.OperationMetadata",
          target: functions.nameOf("hello"),
          verb: "create",
          apiVersion: "v2",
        },
      });
      expect(begun.body.name).toMatch(/^projects\/demo\/locations\/us-central1\/operations\/operation-/);
      expect((await send("GET", functions.nameOf("hello"))).body.state).toMatch(/DEPLOYING|ACTIVE/);
      const made = await functions.ended(begun);
      expect(made).toMatchObject({
        done: true,
        response: { "@type": "type.googleapis.com/google.cloud.functions.v2.Function", state: "ACTIVE" },
      });
      expect(made.metadata.stages.map((stage: any) => [stage.name, stage.state])).toEqual([
        ["ARTIFACT_REGISTRY", "COMPLETE"],
        ["BUILD", "COMPLETE"],
        ["SERVICE", "COMPLETE"],
      ]);
      const one = (await send("GET", functions.nameOf("hello"))).body;
      expect(one).toMatchObject({
        name: functions.nameOf("hello"),
        description: "Says hello.",
        environment: "GEN_2",
        state: "ACTIVE",
        labels: { team: "web" },
        serviceConfig: { availableMemory: "256M", timeoutSeconds: 60, revision: "hello-00001" },
      });
      const called = await functions.call(`${one.serviceConfig.uri}/deep?name=ann`, {
        headers: { authorization: `Bearer ${functions.token}` },
      });
      expect([called.status, called.text]).toEqual([200, "hello ann"]);

      const change = {
        buildConfig: { entryPoint: "other" },
        serviceConfig: { environmentVariables: { SIZE: "big" } },
        description: "never said",
      };
      const updating = await send(
        "PATCH",
        `${functions.nameOf("hello")}?updateMask=build_config.entry_point,serviceConfig.environmentVariables.SIZE`,
        { body: change },
      );
      expect((await functions.ended(updating)).response.serviceConfig.revision).toBe("hello-00002");
      const changed = (await send("GET", functions.nameOf("hello"))).body;
      expect(changed).toMatchObject({
        description: "Says hello.",
        buildConfig: { entryPoint: "other", runtime: "nodejs20" },
      });
      const again = await functions.call(one.serviceConfig.uri, {
        headers: { authorization: `Bearer ${functions.token}` },
      });
      expect(again.body).toEqual({ other: true, memory: "big" });

      const deleting = await send("DELETE", functions.nameOf("hello"));
      expect((await functions.ended(deleting)).response).toEqual({
        "@type": "type.googleapis.com/google.protobuf.Empty",
      });
      expect((await send("GET", functions.nameOf("hello"))).status).toBe(404);
      expect((await functions.call(one.serviceConfig.uri)).status).toBe(404);
      expect((await send("DELETE", functions.nameOf("hello"))).body.error.status).toBe("NOT_FOUND");
    });

    it("says in the operation that a name is taken, and refuses a change during another", async () => {
      await functions.create("taken", { source: HELLO, entryPoint: "hello" });
      const again = await send("POST", `${PLACE}/functions?functionId=taken`, {
        body: await functions.bodyOf("taken", { source: HELLO, entryPoint: "hello" }),
      });
      expect(again.body).toMatchObject({ done: true, error: { code: 6 } });
      const first = await send("PATCH", functions.nameOf("taken"), { body: { labels: { a: "1" } } });
      const [second, third] = [
        await send("PATCH", functions.nameOf("taken"), { body: { labels: { a: "2" } } }),
        await send("DELETE", functions.nameOf("taken")),
      ];
      for (const refused of [second, third])
        expect([refused.status, refused.body.error.status]).toEqual([409, "ABORTED"]);
      await functions.ended(first);
      expect((await send("GET", functions.nameOf("taken"))).body.labels).toEqual({ a: "1" });
    });

    it("fails truthfully, and goes on answering as before", async () => {
      const url = await functions.running("fragile", { source: HELLO, entryPoint: "hello" });
      const broken = await functions.bodyOf("fragile", { source: "syntax error(", entryPoint: "hello" });
      const ended = await functions.ended(await send("PATCH", functions.nameOf("fragile"), { body: broken }));
      expect(ended.error.message).toContain("SyntaxError");
      const one = (await send("GET", functions.nameOf("fragile"))).body;
      expect(one).toMatchObject({
        state: "FAILED",
        stateMessages: [{ severity: "ERROR", type: "HealthCheckFailed" }],
      });
      expect((await functions.call(url)).text).toBe("hello world");
    });

    it.each([
      ["an entry that is not there", { source: HELLO, entryPoint: "absent" }, "absent"],
      ["no file to begin with", { source: { "other.txt": "x" } }, "index.js"],
      ["a runtime that lacks what it needs", { source: HELLO, runtime: "go122" }, "needs"],
      ["a runtime that nobody knows", { source: HELLO, runtime: "cobol1" }, "cobol1"],
      [
        "a secret that is not there",
        { source: HELLO, service: { secretEnvironmentVariables: [{ key: "KEY", secret: "gone" }] } },
        "gone",
      ],
    ])("tells in the operation of %s", async (_what, deployment, words) => {
      const id = `failing-${words.replace(/[^a-z]/g, "")}`;
      const ended = await functions.create(id, { entryPoint: "hello", ...deployment } as never);
      expect(ended.error.message).toContain(words);
    });
    it("tells of an archive that was never sent", async () => {
      const body = {
        buildConfig: {
          runtime: "nodejs20",
          entryPoint: "x",
          source: { storageSource: { bucket: "none", object: "none.zip" } },
        },
      };
      const ended = await functions.ended(
        await send("POST", `${PLACE}/functions?functionId=sourceless`, { body }),
      );
      expect(ended.error.message).toContain("none.zip");
    });
  });

  describe("input", () => {
    const body = {
      buildConfig: {
        runtime: "nodejs20",
        entryPoint: "x",
        source: { storageSource: { bucket: "b", object: "o" } },
      },
    };
    it.each([
      ["a short id", "functionId=abc", body],
      ["a long id", `functionId=${"a".repeat(64)}`, body],
      ["an id of other letters", "functionId=Hello_World", body],
      ["no runtime", "functionId=valid", { buildConfig: { ...body.buildConfig, runtime: "" } }],
      ["no entry point", "functionId=valid", { buildConfig: { ...body.buildConfig, entryPoint: "" } }],
      ["no source", "functionId=valid", { buildConfig: { runtime: "nodejs20", entryPoint: "x" } }],
      [
        "a repository",
        "functionId=valid",
        { buildConfig: { ...body.buildConfig, source: { repoSource: { repoName: "r" } } } },
      ],
      ["strange memory", "functionId=valid", { ...body, serviceConfig: { availableMemory: "lots" } }],
      ["too much memory", "functionId=valid", { ...body, serviceConfig: { availableMemory: "33Gi" } }],
      ["strange processors", "functionId=valid", { ...body, serviceConfig: { availableCpu: "many" } }],
      [
        "a reserved variable",
        "functionId=valid",
        { ...body, serviceConfig: { environmentVariables: { K_SERVICE: "x" } } },
      ],
      [
        "a variable set twice",
        "functionId=valid",
        {
          ...body,
          serviceConfig: {
            environmentVariables: { A: "x" },
            secretEnvironmentVariables: [{ key: "A", secret: "s" }],
          },
        },
      ],
      [
        "more instances at least than at most",
        "functionId=valid",
        { ...body, serviceConfig: { minInstanceCount: 3, maxInstanceCount: 2 } },
      ],
      ["a label of other letters", "functionId=valid", { ...body, labels: { "A B": "x" } }],
      ["a key of no form", "functionId=valid", { ...body, kmsKeyName: "key" }],
      [
        "a trigger of nothing",
        "functionId=valid",
        { ...body, eventTrigger: { pubsubTopic: "projects/p/topics/t" } },
      ],
      [
        "a filter by an operator nobody knows",
        "functionId=valid",
        {
          ...body,
          eventTrigger: { eventType: "t", eventFilters: [{ attribute: "a", value: "b", operator: "like" }] },
        },
      ],
      [
        "a topic of no form",
        "functionId=valid",
        { ...body, eventTrigger: { eventType: "t", pubsubTopic: "topic" } },
      ],
      ["another name than its id", "functionId=valid", { ...body, name: `${PLACE}/functions/other` }],
      ["a name elsewhere", "", { ...body, name: "projects/demo/locations/europe-west1/functions/valid" }],
      ["an id for a name", "", { ...body, name: "valid" }],
      ["wrong types", "functionId=valid", { ...body, serviceConfig: { timeoutSeconds: "soon" } }],
      ["too long a time", "functionId=valid", { ...body, serviceConfig: { timeoutSeconds: 3601 } }],
    ])("is refused: %s", async (_what, query, wrong) => {
      const refused = await send("POST", `${PLACE}/functions?${query}`, { body: wrong });
      expect([refused.status, refused.body.error.status]).toEqual([400, "INVALID_ARGUMENT"]);
    });
    it("is understood as clients that think in numbers send it", async () => {
      const begun = await send(
        "POST",
        `${PLACE}/functions?functionId=numbers&$alt=json%3Benum-encoding=int`,
        {
          body: {
            ...(await functions.bodyOf("numbers", { source: HELLO, entryPoint: "hello" })),
            environment: 2,
            labels: {},
            serviceConfig: { ingressSettings: 2, environmentVariables: {} },
          },
        },
      );
      const ended = await functions.ended(begun);
      expect(ended.response).toMatchObject({
        environment: "GEN_2",
        serviceConfig: { ingressSettings: "ALLOW_INTERNAL_ONLY" },
      });
    });
    it("gets an id where none is given", async () => {
      const begun = await send("POST", `${PLACE}/functions`, {
        body: await functions.bodyOf("hello", { source: HELLO }),
      });
      expect(begun.body.metadata.target).toMatch(/functions\/function-[a-p]{12}$/);
      await functions.ended(begun);
    });
    it("names places that there are", async () => {
      expect(
        (await send("POST", "projects/demo/locations/moon-base1/functions?functionId=lunar", { body }))
          .status,
      ).toBe(400);
      expect((await send("GET", `${PLACE}/operations/operation-none`)).status).toBe(404);
      expect((await send("GET", functions.nameOf("none"))).body.error).toMatchObject({
        code: 404,
        status: "NOT_FOUND",
      });
      for (const mask of ["state", "serviceConfig..x", "nothing"])
        expect(
          (await send("PATCH", `${functions.nameOf("numbers")}?updateMask=${mask}`, { body: {} })).status,
        ).toBe(400);
      const renamed = { body: { name: functions.nameOf("other"), description: "Renamed." } };
      expect((await send("PATCH", functions.nameOf("numbers"), renamed)).body.error).toMatchObject({
        status: "INVALID_ARGUMENT",
        message: expect.stringContaining("functions/numbers"),
      });
    });
  });

  describe("lists", () => {
    it("are filtered, ordered and paged", async () => {
      const place = new Functions(instance, "projects/lists/locations/us-east1");
      const far = new Functions(instance, "projects/lists/locations/europe-west1");
      const teams = ["red", "green", "red", "blue"];
      await Promise.all(
        teams.map((team, index) =>
          place.create(`list-${"abcd"[index]}`, {
            source: HELLO,
            entryPoint: "hello",
            labels: { team, on_call: "yes" },
            // Larger than a page token may be.
            service: { environmentVariables: { LARGE: "x".repeat(8000) } },
          }),
        ),
      );
      await far.create("list-far", { source: HELLO, entryPoint: "hello", labels: { team: "red" } });
      const ids = (answer: any) => answer.body.functions.map((one: any) => one.name.split("/").pop());
      const list = async (query: string, parent = place.place) =>
        ids(await place.send("GET", `${parent}/functions?${query}`));
      expect(await list("")).toEqual(["list-a", "list-b", "list-c", "list-d"]);
      expect(await list("", "projects/lists/locations/-")).toEqual([
        "list-far",
        "list-a",
        "list-b",
        "list-c",
        "list-d",
      ]);
      expect(await list(`filter=${encodeURIComponent("labels.team=red")}`)).toEqual(["list-a", "list-c"]);
      expect(await list(`filter=${encodeURIComponent("labels.on_call=yes")}`)).toHaveLength(4);
      expect(
        await list(`filter=${encodeURIComponent('NOT labels.team="red" AND (name:list-b OR name:list-d)')}`),
      ).toEqual(["list-b", "list-d"]);
      expect(await list(`filter=${encodeURIComponent("build_config.runtime != nodejs20")}`)).toEqual([]);
      expect(await list(`orderBy=${encodeURIComponent("labels.team desc, name desc")}`)).toEqual([
        "list-c",
        "list-a",
        "list-b",
        "list-d",
      ]);
      const seen: string[] = [];
      let token = "";
      do {
        const page = await place.send(
          "GET",
          `${place.place}/functions?pageSize=3&orderBy=name%20desc&pageToken=${token}`,
        );
        seen.push(...ids(page));
        expect(page.body.unreachable).toEqual([]);
        token = page.body.nextPageToken ?? "";
      } while (token);
      expect(seen).toEqual(["list-d", "list-c", "list-b", "list-a"]);
      for (const query of [
        "filter=(",
        "filter=%22",
        "filter=a%20%3D",
        "filter=AND",
        "filter=state%3DOR",
        "filter=NOT",
        "orderBy=,",
        "orderBy=name,,state",
        "filter=bogus%3D1",
        "orderBy=name%20sideways",
        "orderBy=bogus",
        "pageToken=none",
        "pageSize=-1",
      ])
        expect([query, (await place.send("GET", `${place.place}/functions?${query}`)).status]).toEqual([
          query,
          400,
        ]);
      const operations = await place.send(
        "GET",
        `${place.place}/operations?filter=${encodeURIComponent("project:lists,location:*,function:list-a")}&pageSize=1`,
      );
      expect(operations.body.operations[0].metadata.target).toContain("list-a");
      const latest = await place.send(
        "GET",
        `${place.place}/operations?filter=${encodeURIComponent("project:lists,latest:true")}`,
      );
      expect(latest.body.operations).toHaveLength(5);
      for (const filter of ["function:list-a", "project:lists,latest:false", "anything"])
        expect(
          (await place.send("GET", `${place.place}/operations?filter=${encodeURIComponent(filter)}`)).body
            .error.status,
        ).toBe("UNIMPLEMENTED");
      expect(
        (
          await place.send(
            "GET",
            `${place.place}/operations?filter=${encodeURIComponent("project:lists,latest:true")}&pageToken=x`,
          )
        ).status,
      ).toBe(501);
      expect(
        (
          await place.send(
            "GET",
            `${place.place}/operations?filter=${encodeURIComponent("project:other,latest:true")}`,
          )
        ).status,
      ).toBe(400);
    });
    it("of locations and runtimes say what there is", async () => {
      const { body } = await send("GET", "projects/demo/locations?pageSize=2");
      expect(body.locations).toHaveLength(2);
      const rest = await send(
        "GET",
        `projects/demo/locations?pageSize=100&pageToken=${encodeURIComponent(body.nextPageToken)}`,
      );
      expect(rest.body.locations.length).toBeGreaterThan(10);
      expect(
        (await send("GET", `projects/demo/locations?filter=${encodeURIComponent("locationId=us-central1")}`))
          .body.locations,
      ).toMatchObject([{ displayName: "Iowa" }]);
      const { runtimes } = (
        await send("GET", `${PLACE}/runtimes?filter=${encodeURIComponent("name:nodejs AND stage=GA")}`)
      ).body;
      expect(runtimes.map((one: any) => `${one.name} ${one.environment}`)).toEqual(
        ["nodejs20", "nodejs22", "nodejs24"].flatMap((name) => [`${name} GEN_1`, `${name} GEN_2`]),
      );
      expect(
        (await send("GET", `${PLACE}/runtimes?filter=name%3Dgo122`)).body.runtimes[0].warnings[0],
      ).toMatch(/medley-function\.json|needs bubblewrap/);
    });
  });
});
