/** Warehousing over HTTP, on both databases. */
import { expect, it } from "vitest";
import { onBothDatabases, type SendOptions } from "../../../tests/support/medley.ts";
import service from "./index.ts";

const VERSION = "api-version=2030-01-01";
const SUBSCRIPTION = "/subscriptions/warehousing";
const ID = `${SUBSCRIPTION}/resourceGroups/g/providers/Vendor.Warehousing/depots`;

onBothDatabases(
  "warehousing",
  (instance) => {
    const send = (method: string, below: string, options: SendOptions = {}) =>
      instance().bearer(method, `/management${ID}${below}?${VERSION}`, options);
    const put = (name: string, shelves: number) =>
      send("PUT", `/${name}`, { body: { location: "westeurope", properties: { shelves } } });

    it("builds, reads, extends, lists and tears down", async () => {
      const made = await put("north", 40);
      expect(made.status).toBe(201);
      expect(made.body).toMatchObject({
        id: `${ID}/north`,
        name: "north",
        type: "Vendor.Warehousing/depots",
        location: "westeurope",
        properties: { shelves: 40, boxes: 0, provisioningState: "Succeeded" },
      });
      expect((await send("GET", "/NORTH")).body).toEqual(made.body);
      const patched = await send("PATCH", "/north", { body: { properties: { shelves: 41 } } });
      expect([patched.status, patched.body.properties.shelves]).toEqual([200, 41]);
      expect((await send("GET", "")).body.value).toEqual([patched.body]);
      const all = await instance().bearer(
        "GET",
        `/management${SUBSCRIPTION}/providers/Vendor.Warehousing/depots?${VERSION}`,
      );
      expect(all.body.value).toEqual([patched.body]);
      expect((await send("DELETE", "/north")).status).toBe(200);
      expect((await send("GET", "/north")).status).toBe(404);
    });

    it("understands and answers in the maker's words", async () => {
      const makersId = `${ID.replace("Vendor.", "Microsoft.")}/theirs`;
      const made = await instance().bearer("PUT", `${makersId}?${VERSION}`, {
        body: { location: "westeurope", properties: { shelves: 2 } },
      });
      expect(made.status).toBe(201);
      expect(made.body).toMatchObject({
        id: makersId,
        type: "Microsoft.Warehousing/depots",
      });
      expect((await send("GET", "/theirs")).body).toMatchObject({
        id: `${ID}/theirs`,
        type: "Vendor.Warehousing/depots",
      });
      expect((await send("DELETE", "/theirs")).status).toBe(200);
    });

    it("takes boxes in while there is room, and keeps them", async () => {
      await put("full", 1);
      expect((await send("POST", "/full/stock", { body: { boxes: 10 } })).body).toEqual({ boxes: 10 });
      const refused = await send("POST", "/full/stock", { body: { boxes: 1 } });
      expect([refused.status, refused.body.error.code]).toEqual([409, "DepotFull"]);
      await put("full", 2);
      await send("POST", "/full/stock", { body: { boxes: 5 } });
      const shrunk = await put("full", 1);
      expect([shrunk.status, shrunk.body.error.code]).toEqual([409, "DepotTooSmall"]);
      expect((await send("GET", "/full")).body.properties).toMatchObject({ shelves: 2, boxes: 15 });
    });

    it("refuses what is no depot, and keeps accounts apart", async () => {
      for (const body of [
        {},
        { location: "westeurope" },
        { location: "westeurope", properties: { shelves: 0 } },
      ])
        expect((await send("PUT", "/bad", { body })).status).toBe(400);
      expect((await put("x", 1)).body.error.code).toBe("InvalidResourceName");
      await put("mine", 1);
      expect((await send("GET", "/mine", { as: "second" })).status).not.toBe(200);
      expect((await send("GET", "/mine", { as: null })).status).toBe(401);
    });
  },
  { services: ["resource-manager"], extraServices: [service] },
);

onBothDatabases(
  "depots under construction",
  (instance) => {
    it("pass through their states on the clock", async () => {
      await instance().clock.freeze();
      const at = `/management${ID}/slow?${VERSION}`;
      const state = async () => (await instance().bearer("GET", at)).body.properties.provisioningState;
      const made = await instance().bearer("PUT", at, {
        body: { location: "westeurope", properties: { shelves: 1 } },
      });
      expect([made.status, made.body.properties.provisioningState]).toEqual([201, "Planning"]);
      await instance().clock.advance("10s");
      expect(await state()).toBe("Building");
      await instance().clock.advance("10s");
      expect(await state()).toBe("Succeeded");
    });
  },
  { services: ["resource-manager"], extraServices: [service], provisioningSeconds: 20 },
);
