/** What was read can be sent back; what nobody should send is refused; who comes at once waits for his turn. */
import { expect, it } from "vitest";
import { onBothDatabases } from "../../../tests/support/medley.ts";
import { sqlDatabaseServices as services, VERSION } from "../../../tests/support/sql-databases.ts";

const group = "/subscriptions/trips/resourceGroups/data/providers/Vendor.Sql/servers";
const idOf = (server: string, database: string) => `${group}/${server}/databases/${database}`;
const at = (server: string, database: string) => `/management${idOf(server, database)}?${VERSION}`;
const poolId = (server: string, pool: string) => `${group}/${server}/elasticPools/${pool}`;
const body = (properties: Record<string, unknown>, sku?: unknown) => ({
  location: "westeurope",
  properties,
  ...(sku !== undefined && { sku }),
});

onBothDatabases(
  "databases sent to and fro",
  (instance) => {
    const send = (method: string, path: string, content: unknown) =>
      instance().bearer(method, path, { body: content });

    it.each([
      ...[
        "Free",
        "Basic",
        "S3",
        "P2",
        "GP_Gen5_4",
        "GP_S_Gen5_2",
        "BC_Gen5_4",
        "HS_Gen5_4",
        "DW200",
        "DW200c",
      ],
    ])("take %s back as it was read", async (name) => {
      const path = at("editions", `of-${name}`);
      const made = await send("PUT", path, body({}, { name }));
      expect(made.status, made.text).toBe(201);
      const again = await send("PUT", path, made.body);
      expect([again.status, again.body]).toEqual([200, made.body]);
      const patched = await send("PATCH", path, { sku: made.body.sku, properties: made.body.properties });
      expect([patched.status, patched.body]).toEqual([200, made.body]);
    });
    it.each(["BasicPool", "StandardPool", "PremiumPool", "GP_Gen5", "BC_Gen5"])(
      "take one in a pool of the kind %s back as it was read",
      async (name) => {
        const pool = poolId("pools", name);
        expect((await send("PUT", `/management${pool}?${VERSION}`, body({}, { name }))).status).toBe(201);
        const path = at("pools", `in-${name}`);
        const made = await send("PUT", path, body({ elasticPoolId: pool }));
        expect(made.status, made.text).toBe(201);
        const again = await send("PUT", path, made.body);
        expect([again.status, again.body]).toEqual([200, made.body]);
        const poolRead = await instance().bearer("GET", `/management${pool}?${VERSION}`);
        const poolAgain = await send("PUT", `/management${pool}?${VERSION}`, poolRead.body);
        expect([poolAgain.status, poolAgain.body]).toEqual([200, poolRead.body]);
      },
    );

    it.each([
      ["properties that are a list", { location: "westeurope", properties: [] }],
      ["a SKU that is a text", body({}, "S1")],
      ["half a capacity", body({}, { name: "S1", capacity: 1.5 })],
      ["a size in words", body({ maxSizeBytes: "large" })],
      ["a size beyond all numbers", body({ maxSizeBytes: 1e300 })],
      ["a size of nothing", body({ maxSizeBytes: 0 })],
      ["a copy of itself", body({ createMode: "Copy", sourceDatabaseId: idOf("odd", "odd") })],
      ["a secondary of itself", body({ createMode: "Secondary", sourceDatabaseId: idOf("odd", "odd") })],
      ["a way of creation there is not", body({ createMode: "Magic" })],
      ["a pool that is a database", body({ elasticPoolId: idOf("odd", "x") })],
      ["a pool of another server", body({ elasticPoolId: poolId("elsewhere", "p") })],
      ["a pool of no name", body({ elasticPoolId: `${poolId("odd", "")}` })],
      ["a point that is no instant", body({ createMode: "PointInTimeRestore", restorePointInTime: "noon" })],
      ["tags that are numbers", { location: "westeurope", tags: { a: 1 } }],
      ["no location", { properties: {} }],
      ["a fractional pause", body({ autoPauseDelay: 60.5 }, { name: "GP_S_Gen5_1" })],
      ["a sample nobody knows", body({ sampleName: "Northwind" })],
    ])("are refused with %s", async (_what, content) => {
      const answered = await send("PUT", at("odd", "odd"), content);
      expect(answered.status, answered.text).toBe(400);
      expect(answered.body.error).toMatchObject({ code: expect.any(String), message: expect.any(String) });
      expect((await instance().bearer("GET", at("odd", "odd"))).status).toBe(404);
    });
    it.each([{}, { id: "" }, { id: 5 }, { id: "/nowhere" }, { id: `${group}/main/elasticPools/x` }, []])(
      "are not renamed by %j",
      async (content) => {
        await send("PUT", at("main", "named"), body({}, { name: "S0" }));
        const path = at("main", "named").replace("?", "/move?");
        expect((await send("POST", path, content)).status).toBe(400);
      },
    );

    it("have one free database on a server, among more than a page of them", async () => {
      const names = Array.from({ length: 101 }, (_, index) => `a${index}`);
      for (const name of names) await send("PUT", at("many", name), body({}, { name: "S0" }));
      expect((await send("PUT", at("many", "last"), body({}, { name: "Free" }))).status).toBe(201);
      expect((await send("PUT", at("many", "second"), body({}, { name: "Free" }))).status).toBe(409);
    });
    it("are made once, however many ask at once", async () => {
      const names = Array.from({ length: 6 }, (_, index) => `free${index}`);
      const made = await Promise.all(
        names.map((name) => send("PUT", at("crowd", name), body({}, { name: "Free" }))),
      );
      expect(made.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
      const same = await Promise.all(
        names.map(() => send("PUT", at("crowd", "same"), body({}, { name: "S0" }))),
      );
      expect(same.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 201]);
      const secondary = body({ createMode: "Secondary", sourceDatabaseId: idOf("crowd", "same") });
      const followers = await Promise.all(names.map((name) => send("PUT", at(name, "same"), secondary)));
      expect(followers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 400, 400]);
    });
  },
  { services },
);
