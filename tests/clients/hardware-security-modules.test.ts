/** The public management client for dedicated HSMs, as its users run it: over http and https, in both spellings. */
import { AzureDedicatedHSMResourceProvider } from "@azure/arm-hardwaresecuritymodules";
import { expect, test } from "vitest";
import {
  coreCredential,
  coreOptions,
  expectOneSpelling,
  expectSameInBothSpellings,
  hookCore,
  makersWay,
  type Wire,
  ways,
  wireTo,
} from "../support/management-clients.ts";
import { onBothDatabases } from "../support/medley.ts";

const GROUP = "hsm-group";
const services = ["hardware-security-modules", "resource-manager"];

/** As it comes. */
const plainClient = (wire: Wire, subscription: string) =>
  new AzureDedicatedHSMResourceProvider(coreCredential(wire), subscription, coreOptions(wire));
async function namesOf(listed: AsyncIterable<{ readonly name?: string }>) {
  const names: (string | undefined)[] = [];
  for await (const { name } of listed) names.push(name);
  return names;
}
const moduleIn = (subnet: string) => (address: string) => ({
  location: "westus",
  sku: { name: "SafeNet Luna Network HSM A790" },
  tags: { Dept: "hsm", Environment: "dogfood" },
  networkProfile: {
    subnet: { id: subnet },
    networkInterfaces: [{ privateIpAddress: address }],
  },
});

onBothDatabases(
  "the dedicated HSM client",
  (instance) => {
    test.concurrent.each(ways)(
      "a module's whole life over $scheme in the spelling $spelling",
      async (way) => {
        const wire = wireTo(instance(), way);
        const subscription = `hsm-${way.scheme}-${way.spelling}`;
        const client = hookCore(wire, plainClient(wire, subscription));
        const hsms = client.dedicatedHsmOperations;
        const networks = `/subscriptions/${subscription}/resourceGroups/${GROUP}/providers/${way.spelling}.Network`;
        const moduleOf = moduleIn(`${networks}/virtualNetworks/stamp01/subnets/stamp01`);
        const wait = { updateIntervalInMs: 50 };

        const poller = await hsms.beginCreateOrUpdate(GROUP, "hsm-1", moduleOf("10.0.0.1"), wait);
        const made = await poller.pollUntilDone();
        expect(made).toMatchObject({
          name: "hsm-1",
          type: `${way.spelling}.HardwareSecurityModules/dedicatedHSMs`,
          provisioningState: "Succeeded",
          stampId: "stamp1",
          tags: { Dept: "hsm" },
        });
        expect(made.networkProfile?.subnet?.id).toBe(`${networks}/virtualNetworks/stamp01/subnets/stamp01`);
        expect(made.networkProfile?.networkInterfaces?.[0]?.id).toContain(`${networks}/networkInterfaces/`);
        await hsms.beginCreateOrUpdateAndWait(GROUP, "hsm-2", moduleOf("10.0.0.2"), wait);
        const patched = await hsms.beginUpdateAndWait(GROUP, "hsm-1", { tags: { slot: "7" }, ...wait });
        expect([patched.provisioningState, patched.tags?.slot]).toEqual(["Succeeded", "7"]);
        await expectSameInBothSpellings(instance(), String(made.id), "2021-11-30");

        expect(await namesOf(hsms.listByResourceGroup(GROUP, { top: 1 }))).toEqual(["hsm-1", "hsm-2"]);
        expect(await namesOf(hsms.listBySubscription())).toEqual(["hsm-1", "hsm-2"]);
        expect(await namesOf(client.operations.list())).toContain(
          `${way.spelling}.HardwareSecurityModules/dedicatedHSMs/write`,
        );

        // The second module's address is taken: its provisioning fails in the background.
        const twin = hsms.beginCreateOrUpdateAndWait(GROUP, "hsm-3", moduleOf("10.0.0.2"), wait);
        await expect(twin).rejects.toThrow(/is used by/);
        expect((await hsms.get(GROUP, "hsm-3")).provisioningState).toBe("Failed");

        await hsms.beginDeleteAndWait(GROUP, "hsm-1", wait);
        await expect(hsms.get(GROUP, "hsm-1")).rejects.toMatchObject({
          statusCode: 404,
          code: "ResourceNotFound",
        });
        await hsms.beginDeleteAndWait(GROUP, "hsm-1", wait);
        await expect(hsms.beginCreateOrUpdate(GROUP, "x", moduleOf("10.0.0.9"))).rejects.toThrow();
        expectOneSpelling(wire);
      },
    );

    test("as it comes, the client keeps its token from http and from servers it does not know", async () => {
      const overHttp = wireTo(instance(), makersWay);
      const list = (wire: Wire) =>
        namesOf(plainClient(wire, "nobody").dedicatedHsmOperations.listBySubscription());
      await expect(list(overHttp)).rejects.toThrow(/not permitted for non-TLS/);
      const stranger = wireTo(instance(), { ...makersWay, scheme: "https" });
      await expect(list({ ...stranger, authority: undefined })).rejects.toThrow(/certificate/);
      expect(await list(stranger)).toEqual([]);
    });
  },
  { services, tls: true, provisioningSeconds: 0.4 },
);
