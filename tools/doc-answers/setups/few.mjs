/** Services of which few operations need more than one request. */
import { eventually } from "./asking.mjs";
import { listen, visit } from "./strangers.mjs";

export async function recordPodcasts(given) {
  const mount = "/podcasts/api/v2";
  const { body } = await given.call("podcasts.search", `${mount}/search?q=compost&type=episode`);
  const [{ audio, vendor_url: page }] = body.results;
  for (const address of [page, audio]) await visit(given, "GET", new URL(address).pathname);
}

/** Demo data of the store is at the store's own endpoint. */
export async function recordConfigurationData({ call, admin, account }) {
  // The store may be deleted by now.
  await admin("POST", "/_medley/seed", { services: ["configuration-stores"] });
  const at = (path, query = {}) =>
    `/configuration/lantern-settings-${account.id}${path}?${new URLSearchParams({ "api-version": "2023-11-01", ...query })}`;
  const ask = (name, ...request) => call(`configuration-data.${name}`, ...request);
  const [production, currency] = [{ label: "production" }, "Shop%3ACurrency"];
  await ask("list-key-values", at("/kv", { key: "Shop:*", ...production }));
  await ask("list-keys", at("/keys", { name: "Shop:*" }));
  await ask("list-labels", at("/labels"));
  await ask("put-key-value", at(`/kv/${currency}`, production), { value: "GBP", tags: { owner: "design" } });
  await ask("get-key-value", at(`/kv/${currency}`, production));
  await ask("lock-key-value", at(`/locks/${currency}`, production));
  await ask("unlock-key-value", at(`/locks/${currency}`, production));
  await ask("list-revisions", at("/revisions", { key: "Shop:Currency" }));
  const filters = [{ key: "Shop:*", label: "production" }];
  await ask("create-snapshot", at("/snapshots/release-12"), { filters });
  const isReady = async () =>
    (await ask("get-operation", at("/operations", { snapshot: "release-12" }))).body.status === "Succeeded";
  await eventually(isReady, "The snapshot");
  await ask("get-snapshot", at("/snapshots/release-12"));
  await ask("list-snapshots", at("/snapshots"));
  await ask("change-snapshot", at("/snapshots/release-12"), { status: "archived" });
  await ask("delete-key-value", at(`/kv/${currency}`, production));
}

const TEAM = { nameShort: "The Cheesy Poofs", city: "San Jose", stateProv: "California", country: "USA" };
export async function recordRobotics(given) {
  const { call, account } = given;
  const team = "/robotics/v3.0/2024/teams/254";
  const more = { rookieYear: 1999, robotName: "Vortex" };
  await call("robotics.teams.put", team, { ...TEAM, ...more });
  await call("robotics.teams.remove", team);
  // Later requests name it.
  await call("robotics.teams.put", team, { ...TEAM, ...more });
  await listen(given, `/robotics/live/${account.id}/2024/MEALD/stream`, { enough: /\n\n/ });
}

export async function recordResourceGroups({ call, account }) {
  const group = `arn:vendor:resource-groups:us-east-1:${account.id}:group/build-hosts`;
  const tags = `/resource-groups/resources/${encodeURIComponent(group)}/tags`;
  await call("resource-groups.Tag", tags, { Tags: { team: "platform" } });
  await call("resource-groups.GetTags", tags);
  await call("resource-groups.Untag", tags, { Keys: ["team"] });
  const asked = { Group: "build-hosts" };
  const list = "/resource-groups/list-group-resources";
  const { body } = await call("resource-groups.ListGroupResources", list, asked);
  const ResourceArns = [body.Resources[0].Identifier.ResourceArn];
  await call("resource-groups.UngroupResources", "/resource-groups/ungroup-resources", {
    ...asked,
    ResourceArns,
  });
  await call("resource-groups.GroupResources", "/resource-groups/group-resources", {
    ...asked,
    ResourceArns,
  });
}

export async function recordEvents({ call, account }) {
  const arn = `arn:vendor:sns:us-east-1:${account.id}:alarms`;
  await call("events.PutEndpoint", "/events/endpoints", { arn, url: "https://example.org/events" });
  await call("events.ListEndpoints", "/events/endpoints");
  await call("events.DeleteEndpoint", `/events/endpoints?arn=${encodeURIComponent(arn)}`);
}
