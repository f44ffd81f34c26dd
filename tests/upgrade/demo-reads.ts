/** For every service with demo data: one thing that its users must still find there after an upgrade. */
import { expect } from "vitest";
import { sendSigned } from "../support/configuration-data.ts";
import type { Instance } from "../support/medley.ts";

type Read = {
  readonly service: string;
  /** The release whose demo data first has it. */
  readonly since: string;
  read(instance: Instance): Promise<void>;
};

const ACCOUNT = "111111111111";
const demo = `/management/subscriptions/7c4d2f3e-1b5a-4a57-9e0c-${ACCOUNT}/resourceGroups`;
async function found(instance: Instance, path: string): Promise<any> {
  const answer = await instance.bearer("GET", path);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.body;
}

export const demoReads: readonly Read[] = [
  {
    service: "language",
    since: "0.2.0",
    async read(instance) {
      const path = "/language/luis/authoring/v3.0-preview/apps/";
      const { status, body } = await instance.apiKey("Vendor-Subscription-Key", "GET", path);
      expect([status, body.map(({ name }: { name: string }) => name)]).toEqual([200, ["Travel desk"]]);
    },
  },
  {
    service: "identity",
    since: "0.1.0",
    async read(instance) {
      const clients = JSON.stringify(await found(instance, "/identity/client"));
      for (const name of ["Garden planner", "Field notebook"]) expect(clients).toContain(name);
    },
  },
  {
    service: "hardware-security-modules",
    since: "0.1.0",
    async read(instance) {
      const path = `${demo}/keys-rg/providers/Vendor.HardwareSecurityModules/dedicatedHSMs/signing-hsm-1`;
      expect(await found(instance, `${path}?api-version=2018-10-31-preview`)).toMatchObject({
        name: "signing-hsm-1",
        tags: { role: "code-signing" },
      });
    },
  },
  {
    service: "configuration-stores",
    since: "0.1.0",
    async read(instance) {
      const store = `lantern-settings-${ACCOUNT}`;
      const path = `/management/subscriptions/demo-${ACCOUNT}/resourceGroups/lantern/providers/Vendor.AppConfiguration/configurationStores/${store}`;
      const { body } = await instance.bearer("POST", `${path}/listKeys?api-version=2019-10-01`);
      const url = `/configuration/${store}/kv/Shop:Title?api-version=1.0`;
      const value = await sendSigned(instance, body.value[0], "GET", url);
      expect([value.status, value.body.value]).toEqual([200, "The Paper Lantern"]);
    },
  },
  {
    service: "api-diagnostics",
    since: "0.1.0",
    async read(instance) {
      const path = `${demo}/apis-rg/providers/Vendor.ApiManagement/service/shop-apis/diagnostics/monitor`;
      expect(await found(instance, `${path}?api-version=2019-01-01`)).toMatchObject({ name: "monitor" });
    },
  },
  {
    service: "sql-virtual-machines",
    since: "0.1.0",
    async read(instance) {
      const path = `${demo}/data-rg/providers/Vendor.SqlVirtualMachine/sqlVirtualMachineGroups/orders-ag`;
      const { value } = await found(
        instance,
        `${path}/availabilityGroupListeners?api-version=2017-03-01-preview`,
      );
      expect(value).toMatchObject([{ name: "orders-listener", properties: { port: 1433 } }]);
    },
  },
  {
    service: "sql-databases",
    since: "0.1.0",
    async read(instance) {
      const path = `${demo}/data-rg/providers/Vendor.Sql/servers/shop-sql/databases/orders`;
      expect(await found(instance, `${path}?api-version=2017-10-01-preview`)).toMatchObject({
        name: "orders",
        tags: { team: "shop" },
      });
    },
  },
  {
    service: "scheduler",
    since: "0.1.0",
    async read(instance) {
      const path = `/management/subscriptions/00000000-0000-0000-0000-${ACCOUNT}/resourceGroups/demo/providers/Vendor.Scheduler/jobCollections/office/jobs/health-check`;
      expect(await found(instance, `${path}?api-version=2016-03-01`)).toMatchObject({
        properties: { state: "Disabled", action: { type: "Https" } },
      });
    },
  },
  {
    service: "voice",
    since: "0.1.0",
    async read(instance) {
      const path = "/voice/v1/sms-voice/configuration-sets/appointment-reminders/event-destinations";
      const { status, body } = await instance.signed("sms-voice", "GET", path);
      expect([status, body.EventDestinations?.length]).toEqual([200, 3]);
    },
  },
  {
    service: "resource-groups",
    since: "0.1.0",
    async read(instance) {
      const listed = await instance.signed(
        "resource-groups",
        "POST",
        "/resource-groups/list-group-resources",
        {
          body: { Group: "production" },
        },
      );
      expect([listed.status, listed.body.ResourceIdentifiers?.length]).toEqual([200, 3]);
    },
  },
  {
    service: "security-tokens",
    since: "0.2.0",
    async read(instance) {
      const role = await instance.signed("sts", "GET", "/sts/roles/reader");
      expect([role.status, role.body.policy?.Statement.length]).toEqual([200, 1]);
    },
  },
];
