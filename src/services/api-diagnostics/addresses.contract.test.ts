/** The address of a gateway belongs to one instance, whatever other accounts name theirs. */
import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { Backend } from "../../../tests/support/backend.ts";
import { type AccountName, accounts, onBothDatabases } from "../../../tests/support/medley.ts";

const VERSION = "api-version=2019-12-01-preview";

onBothDatabases(
  "addresses of gateways",
  (instance) => {
    const root = (name: string, as: AccountName, group = "apis") =>
      `/management/subscriptions/of-${as}/resourceGroups/${group}/providers/Vendor.ApiManagement/service/${name}`;
    async function make(name: string, as: AccountName, group?: string): Promise<string> {
      const path = `${root(name, as, group)}?${VERSION}`;
      const body = {
        location: "westeurope",
        sku: { name: "Developer", capacity: 1 },
        properties: { publisherEmail: "apis@example.org", publisherName: as },
      };
      expect((await instance().bearer("PUT", path, { as, body })).status).toBeLessThan(300);
      await instance().clock.advance("1s");
      return new URL((await instance().bearer("GET", path, { as })).body.properties.gatewayUrl).pathname;
    }
    async function answering(backend: Backend, name: string, as: AccountName): Promise<void> {
      const properties = {
        path: "orders",
        displayName: "orders",
        serviceUrl: `${backend.url}/${as}`,
        subscriptionRequired: false,
      };
      const path = `${root(name, as)}/apis/orders?${VERSION}`;
      expect((await instance().bearer("PUT", path, { as, body: { properties } })).status).toBeLessThan(300);
    }

    it("cannot be taken over by an instance that is named like it", async () => {
      const backend = new Backend();
      await backend.start();
      expect(await make("shop", "first")).toBe("/gateway/shop");
      const address = await make("shop", "second");
      expect(address).toMatch(/^\/gateway\/shop-[0-9a-f]{8}$/);
      await answering(backend, "shop", "second");
      const name = address.slice("/gateway/".length);
      const other = await make(name, "first");
      expect(other).toMatch(new RegExp(`^${address}-[0-9a-f]{8}$`));
      await answering(backend, name, "first");
      await instance().send("GET", `${address}/orders/1`);
      await instance().send("GET", `${other}/orders/2`);
      expect(backend.asked.map(({ url }) => url)).toEqual(["/second/1", "/first/2"]);
      await backend.stop();
    });
    it("stays where it is if a younger instance has it as its suffixed address", async () => {
      const group = "apis-of-later";
      const key = `/subscriptions/of-second/resourcegroups/${group}/providers/vendor.apimanagement/service/depot`;
      const mark = createHash("sha256").update(`${accounts.second.id} ${key}`).digest("hex").slice(0, 8);
      expect(await make(`depot-${mark}`, "first")).toBe(`/gateway/depot-${mark}`);
      await make("depot", "first");
      await make("depot", "second", group);
      expect(await make(`depot-${mark}`, "first")).toBe(`/gateway/depot-${mark}`);
    });
  },
  { services: ["api-diagnostics"] },
);
