/** How many addresses of a name are tried. */
import { expect, it } from "vitest";
import { createAddressGuard } from "./address-guard.ts";

it("32 addresses of a name, all of which are judged", async () => {
  const vetted = (count: number, last = "192.0.9.9") => {
    const addresses = Array.from({ length: count }, (_one, at) => `1.1.1.${at}`);
    const lookup = async () => [...addresses.slice(1), last].map((address) => ({ address, family: 4 }));
    return createAddressGuard({ allowedNetworks: [], listensOnLoopbackOnly: false, lookup }).vet("x.test");
  };
  expect([(await vetted(32)).addresses.length, (await vetted(33)).addresses.length]).toEqual([32, 32]);
  await expect(vetted(33, "10.0.0.1")).rejects.toThrow("may not be reached");
});
