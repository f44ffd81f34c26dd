/** Which mount a request belongs to, where several begin with the same word. */
import { expect, it } from "vitest";
import { apiKeyIn, plain } from "../protocols/index.ts";
import { sampleService } from "../testing/sample-service.ts";
import { MountTable } from "./mounts.ts";

const protocol = plain({ scheme: apiKeyIn("x-key") });
const at = (name: string, mount: string, ...rootPaths: string[]) =>
  sampleService({ name, mount, protocol, rootPaths });
const table = new MountTable([
  at("home", "/"),
  at("short", "/words/here", "/asked"),
  at("long", "/words/here/told", "/listed"),
  { ...at("versions", "/said/v1", "/heard"), alsoAt: ["/said/v2"] },
]);

it.each([
  ["", "/words/here/told/x", "/words/here/told", "/x"],
  ["", "/words/here/asked/x", "/words/here", "/asked/x"],
  ["", "/words/hereabouts", "", "/words/hereabouts"],
  ["", "/words", "", "/words"],
  ["", "/here/told/listed/1", "/words/here/told", "/listed/1"],
  ["", "/here/asked/1", "/words/here", "/asked/1"],
  ["words.localhost", "/here/told/x", "/words/here/told", "/x"],
  ["words.localhost", "/here/x", "/words/here", "/x"],
  ["", "/said/v2/x", "/said/v2", "/x"],
  ["said.localhost", "/v2/x", "/said/v2", "/x"],
  ["", "/v1/heard/x", "/said/v1", "/heard/x"],
  ["", "/v2/heard/x", "", "/v2/heard/x"],
])("takes '%s' '%s' to '%s' at '%s'", (host, path, mount, below) => {
  const located = table.locate(host, path);
  expect([located.mount.path, located.path]).toEqual([mount, below]);
});

it("makes its routes with the first request, which lets others go first", async () => {
  const [mount] = new MountTable([at("home", "/")]).mounts;
  const making = mount?.ready();
  expect(making).toBeInstanceOf(Promise);
  expect(mount?.ready()).toBe(making);
  await making;
  expect(mount?.ready()).toBeUndefined();
});
