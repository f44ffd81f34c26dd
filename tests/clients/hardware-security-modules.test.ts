/** The public management client for dedicated HSMs, as its users run it, over https and over http. */
import { AzureDedicatedHSMResourceProvider } from "@azure/arm-hardwaresecuritymodules";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accounts, type Instance, startInstance } from "../support/medley.ts";

const SUBSCRIPTION = "0b1f6471-1bf0-4dda-aec3-111122223333";
const GROUP = "hsm-group";
const [TOKEN] = accounts.first.tokens as [string];
const credential = {
  getToken: async () => ({ token: TOKEN, expiresOnTimestamp: Number.MAX_SAFE_INTEGER }),
};

/** Over https nothing about the client is changed; its own bearer policy insists on https. */
function clientOver(scheme: "http" | "https", { medley }: Instance): AzureDedicatedHSMResourceProvider {
  if (scheme === "https")
    return new AzureDedicatedHSMResourceProvider(credential, SUBSCRIPTION, {
      endpoint: `${medley.tlsUrl}/management`,
      tlsOptions: { ca: medley.certificateAuthorityPem as string },
    });
  const client = new AzureDedicatedHSMResourceProvider(credential, SUBSCRIPTION, {
    endpoint: `${medley.url}/management`,
    allowInsecureConnection: true,
  });
  client.pipeline.removePolicy({ name: "bearerTokenAuthenticationPolicy" });
  client.pipeline.addPolicy({
    name: "bearerOverHttp",
    sendRequest(request, next) {
      request.allowInsecureConnection = true;
      request.headers.set("Authorization", `Bearer ${TOKEN}`);
      return next(request);
    },
  });
  return client;
}
const moduleOf = (address: string) => ({
  location: "westus",
  sku: { name: "SafeNet Luna Network HSM A790" },
  tags: { Dept: "hsm", Environment: "dogfood" },
  networkProfile: {
    subnet: {
      id: `/subscriptions/${SUBSCRIPTION}/resourceGroups/${GROUP}/providers/Microsoft.Network/virtualNetworks/stamp01/subnets/stamp01`,
    },
    networkInterfaces: [{ privateIpAddress: address }],
  },
});

describe.each(["sqlite", "postgres"] as const)("the dedicated HSM client on %s", (on) => {
  let instance: Instance;
  beforeAll(async () => {
    const services = ["hardware-security-modules", "resource-manager"];
    instance = await startInstance({ on, services, tls: true, provisioningSeconds: 0.4 });
  });
  afterAll(() => instance?.stop());

  test.each(["https", "http"] as const)("a module's whole life over %s", async (scheme) => {
    const client = clientOver(scheme, instance);
    const hsms = client.dedicatedHsmOperations;
    const [first, second] = [`${scheme}-hsm-1`, `${scheme}-hsm-2`];
    const wait = { updateIntervalInMs: 50 };

    const poller = await hsms.beginCreateOrUpdate(GROUP, first, moduleOf(`10.0.${scheme.length}.1`), wait);
    const made = await poller.pollUntilDone();
    expect(made).toMatchObject({
      name: first,
      type: "Microsoft.HardwareSecurityModules/dedicatedHSMs",
      provisioningState: "Succeeded",
      stampId: "stamp1",
      tags: { Dept: "hsm" },
    });
    expect(made.networkProfile?.networkInterfaces?.[0]?.id).toContain(
      "/providers/Microsoft.Network/networkInterfaces/",
    );
    await hsms.beginCreateOrUpdateAndWait(GROUP, second, moduleOf(`10.0.${scheme.length}.2`), wait);
    const patched = await hsms.beginUpdateAndWait(GROUP, first, { tags: { slot: "7" }, ...wait });
    expect([patched.provisioningState, patched.tags?.slot]).toEqual(["Succeeded", "7"]);

    const names: (string | undefined)[] = [];
    for await (const { name } of hsms.listByResourceGroup(GROUP, { top: 1 })) names.push(name);
    expect(names.filter((name) => name?.startsWith(`${scheme}-`))).toEqual([first, second]);
    const bySubscription: (string | undefined)[] = [];
    for await (const { name } of hsms.listBySubscription()) bySubscription.push(name);
    expect(bySubscription).toEqual(names);
    const operations: (string | undefined)[] = [];
    for await (const { name } of client.operations.list()) operations.push(name);
    expect(operations).toContain("Microsoft.HardwareSecurityModules/dedicatedHSMs/write");

    // The second module's address is taken: its provisioning fails in the background.
    const twin = hsms.beginCreateOrUpdateAndWait(
      GROUP,
      `${scheme}-hsm-3`,
      moduleOf(`10.0.${scheme.length}.2`),
      wait,
    );
    await expect(twin).rejects.toThrow(/is used by/);
    expect((await hsms.get(GROUP, `${scheme}-hsm-3`)).provisioningState).toBe("Failed");

    await hsms.beginDeleteAndWait(GROUP, first, wait);
    await expect(hsms.get(GROUP, first)).rejects.toMatchObject({ statusCode: 404, code: "ResourceNotFound" });
    await hsms.beginDeleteAndWait(GROUP, first, wait);
    await expect(hsms.beginCreateOrUpdate(GROUP, "x", moduleOf("10.0.0.9"))).rejects.toThrow();
  });
});
