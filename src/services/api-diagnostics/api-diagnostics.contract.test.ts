/** Diagnostics over HTTP, on both databases. */
import { expect, it } from "vitest";
import { onBothDatabases } from "../../../tests/support/medley.ts";

const VERSION = "api-version=2019-12-01-preview";
let counter = 0;
const newPlace = () => {
  counter += 1;
  const instance = `/subscriptions/diagnostics-${counter}/resourceGroups/apis/providers/Vendor.ApiManagement/service/shop`;
  return {
    instance: `/management${instance}?${VERSION}`,
    list: (query = "") => `/management${instance}/diagnostics?${VERSION}${query}`,
    at: (name: string) => `/management${instance}/diagnostics/${encodeURIComponent(name)}?${VERSION}`,
    id: (name: string) => `${instance}/diagnostics/${name}`,
  };
};
const bodyOf = (properties: Record<string, unknown> = {}) => ({
  properties: { loggerId: "/loggers/main", ...properties },
});

onBothDatabases(
  "diagnostics",
  (instance) => {
    const put = (path: string, properties?: Record<string, unknown>, headers?: Record<string, string>) =>
      instance().bearer("PUT", path, { body: bodyOf(properties), ...(headers && { headers }) });

    it("creates, reads, replaces, patches and deletes, with entity tags", async () => {
      const { at, id } = newPlace();
      const made = await put(at("Insights"), { verbosity: "error" });
      expect(made.status).toBe(201);
      expect(made.body).toEqual({
        id: id("Insights"),
        name: "Insights",
        type: "Vendor.ApiManagement/service/diagnostics",
        properties: { loggerId: "/loggers/main", verbosity: "error" },
      });
      const read = await instance().bearer("GET", at("insights"));
      expect([read.status, read.headers.get("etag")]).toEqual([200, made.headers.get("etag")]);
      const head = await instance().bearer("HEAD", at("insights"));
      expect([head.status, head.text, head.headers.get("etag")]).toEqual([200, "", made.headers.get("etag")]);
      const replaced = await put(at("insights"), { alwaysLog: "allErrors" });
      expect(replaced.status).toBe(200);
      expect(replaced.body.properties).toEqual({ loggerId: "/loggers/main", alwaysLog: "allErrors" });
      expect(replaced.headers.get("etag")).not.toBe(made.headers.get("etag"));
      const tag = { "if-match": String(replaced.headers.get("etag")) };
      const patched = await instance().bearer("PATCH", at("insights"), {
        headers: tag,
        body: { properties: { verbosity: "verbose" } },
      });
      expect([patched.status, patched.text]).toEqual([204, ""]);
      expect((await instance().bearer("GET", at("insights"))).body.properties).toEqual({
        loggerId: "/loggers/main",
        alwaysLog: "allErrors",
        verbosity: "verbose",
      });
      expect(
        (await instance().bearer("DELETE", at("insights"), { headers: { "if-match": "*" } })).status,
      ).toBe(200);
      expect(
        (await instance().bearer("DELETE", at("insights"), { headers: { "if-match": "*" } })).status,
      ).toBe(204);
      expect((await instance().bearer("HEAD", at("insights"))).status).toBe(404);
    });
    it("answers a patch with the diagnostic in the versions whose clients expect it", async () => {
      const { at } = newPlace();
      await put(at("insights"), { verbosity: "error" });
      for (const [version, status] of [
        ["2019-12-01", 204],
        ["2021-08-01", 200],
        ["2024-05-01", 200],
      ] as const) {
        const path = at("insights").replace(VERSION, `api-version=${version}`);
        const patched = await instance().bearer("PATCH", path, {
          headers: { "if-match": "*" },
          body: { properties: { verbosity: "verbose" } },
        });
        expect([version, patched.status]).toEqual([version, status]);
        expect(patched.headers.get("etag")).toBeTruthy();
        if (status === 200) expect(patched.body.properties.verbosity).toBe("verbose");
      }
    });

    it("keeps what later versions added", async () => {
      const { at } = newPlace();
      const masking = { dataMasking: { headers: [{ value: "*", mode: "Mask" }], queryParams: [] } };
      const later = { metrics: true, operationNameFormat: "Url", frontend: { request: masking } };
      await put(at("later"), later);
      const read = await instance().bearer("GET", at("later"));
      expect(read.body.properties).toEqual({ loggerId: "/loggers/main", ...later });
      const refused = await put(at("later"), { operationNameFormat: "Path" });
      expect([refused.status, refused.body.error.code]).toEqual([400, "ValidationError"]);
    });

    it("names a code with each thing that is wrong with a body", async () => {
      const { at } = newPlace();
      const refused = await instance().bearer("PUT", at("bad"), {
        body: { properties: { verbosity: "loud", sampling: { percentage: 101 } } },
      });
      const { code, details } = refused.body.error;
      expect(details.length).toBeGreaterThan(1);
      for (const detail of details)
        expect(detail).toEqual({ code, message: expect.any(String), target: expect.any(String) });
    });

    it("takes a setting away where a patch says null, and only that", async () => {
      const { at } = newPlace();
      await put(at("one"), {
        alwaysLog: "allErrors",
        logClientIp: true,
        sampling: { samplingType: "fixed", percentage: 5 },
        frontend: { request: { body: { bytes: 512 }, headers: ["Accept"] } },
      });
      const patch = (properties: Record<string, unknown>) =>
        instance().bearer("PATCH", at("one"), { headers: { "if-match": "*" }, body: { properties } });
      const gone = { alwaysLog: null, sampling: { percentage: null }, frontend: { request: { body: null } } };
      expect((await patch(gone)).status).toBe(204);
      expect((await instance().bearer("GET", at("one"))).body.properties).toEqual({
        loggerId: "/loggers/main",
        logClientIp: true,
        sampling: { samplingType: "fixed" },
        frontend: { request: { headers: ["Accept"] } },
      });
      expect((await patch({ sampling: null, frontend: null })).status).toBe(204);
      expect((await instance().bearer("GET", at("one"))).body.properties).toEqual({
        loggerId: "/loggers/main",
        logClientIp: true,
      });
      for (const properties of [{ loggerId: null }, { sampling: { percentage: 101 } }, { verbosity: "loud" }])
        expect((await patch(properties)).status).toBe(400);
    });
    it("takes every name that the contract allows", async () => {
      const { at, id, list } = newPlace();
      for (const name of ["100%", "a\\b", "grün 日本", "x".repeat(80)]) {
        const made = await put(at(name));
        expect([made.status, made.body.name, made.body.id]).toEqual([201, name, id(name)]);
        expect((await instance().bearer("GET", at(name.toUpperCase()))).body.name).toBe(name);
      }
      const pages = await instance().bearer("GET", list("&$top=3"));
      expect((await instance().bearer("GET", pages.body.nextLink)).body.value).toHaveLength(1);
      for (const sign of "*#&+:<>?")
        expect((await put(at(`a${sign}b`))).body.error.code).toBe("InvalidResourceName");
    });
    it("compares entity tags", async () => {
      const { at } = newPlace();
      const made = await put(at("tagged"));
      const old = { "if-match": String(made.headers.get("etag")) };
      expect((await put(at("tagged"), {}, old)).status).toBe(200);
      expect((await put(at("tagged"), {}, old)).status).toBe(412);
      for (const method of ["PATCH", "DELETE"]) {
        const body = method === "PATCH" ? { body: bodyOf() } : {};
        expect((await instance().bearer(method, at("tagged"), { ...body, headers: old })).status).toBe(412);
        expect((await instance().bearer(method, at("tagged"), body)).status).toBe(400);
      }
      expect(
        (await instance().bearer("PATCH", at("none"), { body: bodyOf(), headers: { "if-match": "*" } }))
          .status,
      ).toBe(404);
      for (const method of ["PATCH", "DELETE"]) {
        const body = method === "PATCH" ? { body: bodyOf() } : {};
        const refused = await instance().bearer(method, at("none"), body);
        expect([method, refused.status, refused.body.error.target]).toEqual([method, 400, "If-Match"]);
      }
    });
    it("lists with filters, pages and skips", async () => {
      const { list, at } = newPlace();
      const names = ["alpha", "beta", "Gamma", "delta's", "alphabet"];
      for (const [i, name] of names.entries())
        await put(at(name), { sampling: { percentage: i * 10 }, logClientIp: i % 2 === 0 });
      const found = async (filter: string) => {
        const answer = await instance().bearer("GET", list(`&$filter=${encodeURIComponent(filter)}`));
        expect([filter, answer.status]).toEqual([filter, 200]);
        return answer.body.value.map(({ name }: { name: string }) => name).sort();
      };
      expect(await found("name eq 'alpha'")).toEqual(["alpha"]);
      expect(await found("startswith(name,'alpha')")).toEqual(["alpha", "alphabet"]);
      expect(await found("substringof('et',name)")).toEqual(["alphabet", "beta"]);
      expect(await found("contains(name,'et') and not endswith(name,'bet')")).toEqual(["beta"]);
      expect(await found("name ge 'b' and name lt 'e'")).toEqual(["beta", "delta's"]);
      expect(await found("name eq 'delta''s' or name eq 'GAMMA'")).toEqual(["Gamma", "delta's"]);
      expect(await found("properties/sampling/percentage gt 20")).toEqual(["alphabet", "delta's"]);
      expect(await found("properties/logClientIp eq true and (name eq 'alpha' or name eq 'beta')")).toEqual([
        "alpha",
      ]);
      for (const bad of [
        "name eq",
        "nome eq 'x'",
        "name eq 5",
        "name like 'x'",
        "(name eq 'a'",
        "length(name) gt 3",
        "",
      ]) {
        const refused = await instance().bearer("GET", list(`&$filter=${encodeURIComponent(bad)}`));
        expect([bad, refused.status, refused.body.error.code, refused.body.error.target]).toEqual([
          bad,
          400,
          "ValidationError",
          "$filter",
        ]);
      }
      const first = await instance().bearer("GET", list("&$top=2&$skip=1"));
      expect(first.body.value).toHaveLength(2);
      const second = await instance().bearer("GET", first.body.nextLink.replace(instance().url, ""));
      expect(second.body.value).toHaveLength(2);
      expect(second.body.nextLink).toBeUndefined();
      expect((await instance().bearer("GET", list("&$top=0"))).status).toBe(400);
    });
    it("makes the instance on first use, and lets it be managed", async () => {
      const { instance: at, list } = newPlace();
      expect((await instance().bearer("GET", at)).status).toBe(404);
      const place = newPlace();
      await put(place.at("one"));
      const made = await instance().bearer("GET", place.instance);
      expect(made.body).toMatchObject({ name: "shop", sku: { name: "Developer" } });
      expect((await instance().bearer("DELETE", place.instance)).status).toBe(200);
      expect((await instance().bearer("GET", place.at("one"))).status).toBe(404);
      const below = await instance().bearer("GET", list());
      expect([below.status, below.body.error.code]).toEqual([404, "ParentResourceNotFound"]);
    });
    it("refuses bodies and names that are not right, and loses nothing", async () => {
      const { at } = newPlace();
      const cases: unknown[] = [
        {},
        { properties: {} },
        bodyOf({ verbosity: "loud" }),
        bodyOf({ sampling: { percentage: 101 } }),
        bodyOf({ frontend: { request: { body: { bytes: 9000 } } } }),
      ];
      for (const body of cases)
        expect((await instance().bearer("PUT", at("bad"), { body })).status).toBe(400);
      expect((await put(at("a:b"))).status).toBe(400);
      expect((await put(at("x".repeat(81)))).status).toBe(400);
      expect((await instance().bearer("GET", at("bad"))).status).toBe(404);
    });
    it("speaks the maker's spelling and keeps accounts apart", async () => {
      const { at, id } = newPlace();
      const makers = at("one").replace("Vendor.", "Microsoft.").replace("/management", "");
      const made = await put(makers);
      expect(made.body).toMatchObject({
        id: id("one").replace("Vendor.", "Microsoft."),
        type: "Microsoft.ApiManagement/service/diagnostics",
      });
      expect((await instance().bearer("GET", at("one"), { as: "second" })).status).not.toBe(200);
    });
  },
  { services: ["api-diagnostics", "resource-manager"] },
);

onBothDatabases(
  "diagnostics of an instance that is being deleted",
  (instance) => {
    it("are no longer made or changed", async () => {
      const { at, instance: parent } = newPlace();
      await instance().clock.freeze();
      expect((await instance().bearer("PUT", at("one"), { body: bodyOf() })).status).toBe(201);
      expect((await instance().bearer("DELETE", parent)).status).toBe(202);
      const headers = { "if-match": "*" };
      for (const [method, name] of [
        ["PUT", "one"],
        ["PUT", "two"],
        ["PATCH", "one"],
      ] as const) {
        const refused = await instance().bearer(method, at(name), { body: bodyOf(), headers });
        expect([refused.status, refused.body.error.code]).toEqual([409, "AnotherOperationInProgress"]);
      }
      await instance().clock.advance("4s");
      expect((await instance().bearer("GET", parent)).status).toBe(404);
      expect((await instance().bearer("PUT", at("one"), { body: bodyOf() })).status).toBe(201);
    });
  },
  { services: ["api-diagnostics", "resource-manager"], provisioningSeconds: 4 },
);
