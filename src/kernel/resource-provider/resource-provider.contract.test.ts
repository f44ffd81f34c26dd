/** What a declaration leads to: a small provider that uses everything the engine offers, over HTTP, on both databases. */
import { beforeAll, expect, test } from "vitest";
import { onBothDatabases } from "../../../tests/support/medley.ts";
import { toyStorage as toy } from "../../../tests/support/toy-storage.ts";

const VERSION = "api-version=2030-01-01";
let counter = 0;
function newPlace() {
  counter += 1;
  const subscription = `/subscriptions/toy-${counter}`;
  const path = (rest: string) =>
    `/management${subscription}/resourceGroups/rg/providers/Vendor.ToyStorage/shelves/${rest}?${VERSION}`;
  return { subscription, path, shelf: `shelf-${counter}` };
}
const codeOf = ({ status, body }: { status: number; body: any }) => `${status} ${body.error?.code}`;
const box = (weight: number, label?: string) => ({
  properties: { weight, ...(label !== undefined && { label }) },
});
const options = { services: ["resource-manager"], extraServices: [toy] };

onBothDatabases(
  "a resource provider",
  (instance) => {
    test("an implied parent comes with its first child, its group as well; both can be seen and deleted", async () => {
      const { path, shelf, subscription } = newPlace();
      expect(codeOf(await instance().bearer("GET", path(`${shelf}/boxes`)))).toBe(
        "404 ParentResourceNotFound",
      );
      expect((await instance().bearer("PUT", path(`${shelf}/boxes/b1`), { body: box(1) })).status).toBe(201);
      const made = await instance().bearer("GET", path(shelf));
      expect([made.status, made.body.location]).toEqual([200, "global"]);
      const resources = await instance().bearer(
        "GET",
        `/management${subscription}/resources?api-version=2021-04-01`,
      );
      expect(resources.body.value.map((one: { type: string }) => one.type)).toEqual([
        "Vendor.ToyStorage/shelves",
        "Vendor.ToyStorage/shelves/boxes",
      ]);
      expect((await instance().bearer("DELETE", path(shelf))).status).toBe(200);
      const orphan = await instance().bearer("GET", path(`${shelf}/boxes/b1`));
      expect(codeOf(orphan)).toBe("404 ParentResourceNotFound");
    });

    test("an implied parent's name has to be a good one too", async () => {
      const { path } = newPlace();
      const made = await instance().bearer("PUT", path("no_shelf/boxes/b1"), { body: box(1) });
      expect(codeOf(made)).toBe("400 InvalidResourceName");
      expect(made.body.error.target).toBe("shelfName");
    });

    test("of many that make the same at once, one makes it", async () => {
      const { path, shelf } = newPlace();
      const bodies = Array.from({ length: 8 }, (_, weight) => box(weight));
      const answers = await Promise.all(
        bodies.map((body) => instance().bearer("PUT", path(`${shelf}/boxes/race`), { body })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 200, 200, 201]);
    });

    test("what is wrong behind a choice is named", async () => {
      const { path, shelf } = newPlace();
      const url = path(`${shelf}/boxes/b1`);
      expect((await instance().bearer("PUT", url, { body: box(1) })).status).toBe(201);
      const refused = await instance().bearer("PATCH", url, {
        body: { tags: { owner: 7 } },
        headers: { "if-match": "*" },
      });
      expect([refused.status, refused.body.error.target]).toEqual([400, "tags.owner"]);
    });

    test("a name for all accounts is taken once", async () => {
      const { path, shelf } = newPlace();
      const body = { location: "westus" };
      expect((await instance().bearer("PUT", path(shelf), { body })).status).toBe(201);
      const theirs = path(shelf.toUpperCase()).replace(/toy-\d+/, "toy-of-second");
      expect(codeOf(await instance().bearer("PUT", theirs, { body, as: "second" }))).toBe(
        "409 NameAlreadyExists",
      );
      expect((await instance().bearer("DELETE", path(shelf))).status).toBe(200);
      expect((await instance().bearer("PUT", theirs, { body, as: "second" })).status).toBe(201);
    });

    test("entity tags", async () => {
      const { path, shelf } = newPlace();
      const at = path(`${shelf}/boxes/b1`);
      const send = (method: string, headers: Record<string, string>, body?: unknown) =>
        instance().bearer(method, at, { headers, body });
      expect(codeOf(await send("PUT", { "if-match": '"none"' }, box(1)))).toBe("412 PreconditionFailed");
      const made = await send("PUT", { "if-none-match": "*" }, box(1));
      const etag = made.headers.get("etag") as string;
      expect([made.status, etag]).toEqual([201, expect.stringMatching(/^".+"$/)]);
      expect(codeOf(await send("PUT", { "if-none-match": "*" }, box(2)))).toBe("412 PreconditionFailed");
      const head = await send("HEAD", {});
      expect([head.status, head.headers.get("etag"), head.text]).toEqual([200, etag, ""]);
      expect((await send("GET", {})).headers.get("etag")).toBe(etag);
      expect((await send("PATCH", {}, box(3))).status).toBe(400);
      expect(codeOf(await send("PATCH", { "if-match": '"old"' }, box(3)))).toBe("412 PreconditionFailed");
      const patched = await send("PATCH", { "if-match": etag }, { properties: { label: "new" } });
      expect([patched.status, patched.text]).toEqual([204, ""]);
      expect(codeOf(await send("PATCH", { "if-match": etag }, box(3)))).toBe("412 PreconditionFailed");
      const now = await send("GET", {});
      expect(now.body.properties).toEqual({ weight: 1, label: "new", provisioningState: "Succeeded" });
      await send("PATCH", { "if-match": "*" }, { properties: { label: null } });
      expect((await send("GET", {})).body.properties.label).toBeUndefined();
      expect((await send("DELETE", {})).status).toBe(400);
      expect(codeOf(await send("DELETE", { "if-match": etag }))).toBe("412 PreconditionFailed");
      expect((await send("DELETE", { "if-match": "*" })).status).toBe(200);
      expect(codeOf(await send("DELETE", { "if-match": "*" }))).toBe("404 ResourceNotFound");
    });

    test("lists: filtered, skipped and paged together", async () => {
      const { path, shelf } = newPlace();
      for (let n = 0; n < 9; n += 1)
        await instance().bearer("PUT", path(`${shelf}/boxes/b${n}`), { body: box(n % 3 === 0 ? 1 : 50) });
      const seen: string[][] = [];
      let link: string | undefined = `${path(`${shelf}/boxes`)}&heavy=true&$skip=1&$top=2`;
      while (link !== undefined) {
        const { body }: { body: any } = await instance().bearer("GET", link);
        seen.push(body.value.map((one: { name: string }) => one.name));
        link = body.nextLink;
      }
      expect(seen).toEqual([["b2", "b4"], ["b5", "b7"], ["b8"]]);
    });

    test("names in a query are read in any case, and each counts once", async () => {
      const { path, shelf } = newPlace();
      for (const name of ["b1", "b2", "b3"])
        await instance().bearer("PUT", path(`${shelf}/boxes/${name}`), { body: box(50) });
      const list = path(`${shelf}/boxes`);
      const first = await instance().bearer("GET", `${list.replace("api-version", "API-Version")}&$TOP=2`);
      expect([first.status, first.body.value.length]).toEqual([200, 2]);
      const link: string = first.body.nextLink;
      const rest = await instance().bearer("GET", link.replace(/skipToken/i, "skiptoken"));
      expect(rest.body.value.map((one: { name: string }) => one.name)).toEqual(["b3"]);
      const background = await instance().bearer(
        "DELETE",
        path(`${shelf}/boxes/b1`).replace("api-version", "Api-Version"),
        { headers: { "if-match": "*" } },
      );
      expect(background.status).toBe(200);

      const refused = await instance().bearer("GET", `${list}&$top=1&$Top=2`);
      expect(codeOf(refused)).toBe("400 InvalidRequestContent");
      expect(refused.body.error.message).toBe("The query parameter $top is given more than once.");
      const same = await instance().bearer("GET", `${list}&$top=1&$Top=1&${VERSION}`);
      expect([same.status, same.body.value.length]).toEqual([200, 1]);
      const versions = await instance().bearer("GET", `${list}&Api-Version=2020-01-01`);
      expect(codeOf(versions)).toMatch(/^400 InvalidApiVersion/);
    });

    test("own errors, actions, and what must not be deleted", async () => {
      const { path, shelf } = newPlace();
      const at = (rest = "") => path(`${shelf}/boxes/b1${rest}`);
      expect(codeOf(await instance().bearer("PUT", at(), { body: box(101) }))).toBe("400 TooMuch");
      expect(codeOf(await instance().bearer("POST", at("/open")))).toMatch(/^404/);
      await instance().bearer("PUT", at(), { body: box(1) });
      const opened = await instance().bearer("POST", at("/open"));
      expect([opened.status, opened.body.properties.opened]).toEqual([200, 1]);
      expect((await instance().bearer("POST", at("/RELABEL"), { body: { label: "keep" } })).body).toEqual({
        label: "keep",
      });
      expect(codeOf(await instance().bearer("DELETE", at(), { headers: { "if-match": "*" } }))).toBe(
        "409 ShelfNotEmpty",
      );
    });

    test("strange names and identifiers are refused, never a failure of ours", async () => {
      const { path, shelf } = newPlace();
      for (const name of ["a%00b", "%20", "%F0%9F%98%80", "a%2Fb", "x".repeat(300)])
        for (const method of ["GET", "PUT", "DELETE"]) {
          const { status } = await instance().bearer(method, path(`${shelf}/boxes/${name}`), {
            headers: { "if-match": "*" },
            ...(method === "PUT" && { body: box(1) }),
          });
          expect([400, 404, 414]).toContain(status);
        }
      for (const subscription of ["a%00b", "a%20b", "x".repeat(65)]) {
        const { status } = await instance().bearer("GET", path(shelf).replace(/toy-\d+/, subscription));
        expect([400, 404]).toContain(status);
      }
    });

    test("permissions are asked per action and path", async () => {
      const { path, shelf, subscription } = newPlace();
      const limited = { authorization: "Bearer limited-token-0001" };
      await instance().bearer("POST", "/_medley/credentials", {
        body: {
          accounts: [
            {
              id: "333333333333",
              name: "limited",
              tokens: ["limited-token-0001"],
              policies: [
                { effect: "Allow", actions: ["Vendor.ToyStorage/*/read"], resources: ["*"] },
                {
                  effect: "Allow",
                  actions: ["Vendor.ToyStorage/shelves/*"],
                  resources: [`${subscription}/resourceGroups/RG/*`],
                },
                {
                  effect: "Deny",
                  actions: ["Vendor.ToyStorage/shelves/boxes/open/action"],
                  resources: ["*"],
                },
              ],
            },
          ],
        },
      });
      const send = (method: string, at: string, body?: unknown) =>
        instance().send(method, at, { headers: limited, body });
      expect((await send("PUT", path(`${shelf}/boxes/b1`), box(1))).status).toBe(201);
      expect((await send("GET", path(`${shelf}/boxes/b1`))).status).toBe(200);
      expect(codeOf(await send("POST", path(`${shelf}/boxes/b1/open`)))).toBe("403 AuthorizationFailed");
      expect(codeOf(await send("PUT", path(`${shelf}/boxes/b1`).replace("/rg/", "/other/"), box(1)))).toBe(
        "403 AuthorizationFailed",
      );
    });
  },
  options,
);

onBothDatabases(
  "a resource provider's long work",
  (instance) => {
    beforeAll(() => instance().clock.freeze());

    test("an action passes through its states, and may fail", async () => {
      const { path, shelf } = newPlace();
      const at = (name: string, rest = "") => path(`${shelf}/boxes/${name}${rest}`);
      await instance().bearer("PUT", at("b1"), { body: box(1) });
      await instance().bearer("PUT", at("b2"), { body: box(1, "stuck") });
      const started = await instance().bearer("POST", at("b1", "/open"));
      expect([started.status, started.text]).toEqual([202, ""]);
      expect(codeOf(await instance().bearer("POST", at("b1", "/open")))).toBe(
        "409 AnotherOperationInProgress",
      );
      const state = async (name: string) =>
        (await instance().bearer("GET", at(name))).body.properties.provisioningState;
      expect(await state("b1")).toBe("Opening");
      await instance().clock.advance("1s");
      expect(await state("b1")).toBe("Lifting");
      await instance().clock.advance("1s");
      const result = await instance().bearer("GET", started.headers.get("location") as string);
      expect([
        result.status,
        result.body.properties.opened,
        result.body.properties.provisioningState,
      ]).toEqual([200, 1, "Succeeded"]);
      const stuck = await instance().bearer("POST", at("b2", "/open"));
      await instance().clock.advance("2s");
      expect(await state("b2")).toBe("Failed");
      const status = await instance().bearer("GET", stuck.headers.get("azure-asyncoperation") as string);
      expect(status.body).toMatchObject({
        status: "Failed",
        error: { code: "Jammed", message: "The lid is stuck." },
      });
    });

    test("of many at once, one starts", async () => {
      const { path, shelf } = newPlace();
      await instance().bearer("PUT", path(`${shelf}/boxes/b1`), { body: box(1) });
      const answers = await Promise.all(
        Array.from({ length: 6 }, () => instance().bearer("POST", path(`${shelf}/boxes/b1/open`))),
      );
      expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 409, 409, 409, 409, 409]);
    });
  },
  { ...options, provisioningSeconds: 2 },
);

onBothDatabases(
  "a resource provider with strict parents",
  (instance) => {
    test("groups and implied parents must exist beforehand", async () => {
      const { path, shelf, subscription } = newPlace();
      const put = (rest: string, body: unknown) => instance().bearer("PUT", path(rest), { body });
      expect(codeOf(await put(shelf, { location: "westus" }))).toBe("404 ResourceGroupNotFound");
      expect(codeOf(await put(`${shelf}/boxes/b1`, box(1)))).toBe("404 ParentResourceNotFound");
      expect(codeOf(await instance().bearer("GET", path(`${shelf}/boxes`)))).toBe(
        "404 ParentResourceNotFound",
      );
      const group = `/management${subscription}/resourceGroups/rg?api-version=2021-04-01`;
      expect((await instance().bearer("PUT", group, { body: { location: "westus" } })).status).toBe(201);
      expect((await put(shelf, { location: "westus" })).status).toBe(201);
      expect((await put(`${shelf}/boxes/b1`, box(1))).status).toBe(201);
    });
  },
  { ...options, strictParents: true },
);
