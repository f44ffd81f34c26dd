/** Snapshots over HTTP, between two accounts, on both databases. */
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { eventually } from "../../../tests/support/eventually.ts";
import { FaceStage, faceMaker, NOTHING_KEPT, scopeOf } from "../../../tests/support/face.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";
import { KINDS, kinds } from "./domain/containers.ts";

const GONE = "00000000-0000-4000-8000-000000000000";
const UNKNOWN = "35230f59-aa9c-45e0-ab5e-c859bf1a5429";

onBothDatabases(
  "snapshots",
  (instance) => {
    const stage = new FaceStage(instance);
    const done = stage.done.bind(stage);
    const outcome = stage.outcome.bind(stage);

    const take = async (type: string, objectId: string, more: object = {}) => {
      const body = { type, objectId, applyScope: [scopeOf("second")], ...more };
      const sent = await stage.send("POST", "/snapshots", { body });
      expect([sent.status, sent.text]).toEqual([202, ""]);
      const location = sent.headers.get("operation-location");
      expect(location).toMatch(/^\/operations\/[0-9a-f-]{36}$/);
      return stage.ended(location);
    };
    const taken = async (type: string, objectId: string, more: object = {}): Promise<string> => {
      const ended = await take(type, objectId, more);
      expect(ended).toMatchObject({ status: "succeeded", percentComplete: 100 });
      const [, id] = /^\/snapshots\/([0-9a-f-]{36})$/.exec(ended.resourceLocation) ?? [];
      return id as string;
    };
    const apply = async (snapshot: string, objectId: string, as: "first" | "second" = "second") => {
      const sent = await stage.send("POST", `/snapshots/${snapshot}/apply`, { body: { objectId }, as });
      expect([sent.status, sent.text]).toEqual([202, ""]);
      return stage.ended(sent.headers.get("operation-location"), as);
    };

    describe.each(KINDS)("of a %s", (kind) => {
      const { path, idName, snapshotType, personsMax } = kinds[kind];

      it("are taken by one account and applied by another, training and all", async () => {
        const body = { name: "Home", userData: "ours", recognitionModel: "recognition_03" };
        await done("PUT", `/${path}/home`, { body });
        let personId: string | undefined;
        if (personsMax > 0)
          ({ personId } = await done("POST", `/${path}/home/persons`, { body: { name: "Ann" } }));
        const to = { kind, id: "home", ...(personId !== undefined && { personId }) };
        const ids = await stage.keep(
          to,
          [1, 2, 3].map((picture) => ({ person: "ann", picture })),
        );
        if (kind !== "facelist") await stage.train(`/${path}/home`);
        const id = await taken(snapshotType, "home", { userData: "before" });
        await done("DELETE", `/${path}/home`);

        const shown = await done("GET", `/snapshots/${id}`, { as: "second" });
        expect(shown).toEqual({
          id,
          account: scopeOf("first"),
          type: snapshotType,
          applyScope: [scopeOf("second")],
          userData: "before",
          createdTime: expect.any(String),
          lastUpdateTime: shown.createdTime,
        });
        expect(await apply(id, "copy")).toMatchObject({
          status: "succeeded",
          percentComplete: 100,
          resourceLocation: `/${path}/copy`,
        });
        const copy = await done("GET", `/${path}/copy?returnRecognitionModel=true`, { as: "second" });
        expect(copy).toMatchObject({ [idName]: "copy", ...body });
        const [best] = await stage.nearest({ kind, id: "copy" }, "ann", { limit: 1, as: "second" });
        if (personId === undefined) expect(ids).toContain(best.persistedFaceId);
        else expect(best.personId).toBe(personId);

        const again = await stage.send("POST", `/snapshots/${id}/apply`, {
          body: { objectId: "copy", mode: "CreateNew" },
          as: "second",
        });
        expect([again.status, again.body.error.code]).toEqual([409, `${snapshotType}Exists`]);
        await done("DELETE", `/snapshots/${id}`);
        await done("DELETE", `/${path}/copy`, { as: "second" });
        expect(await outcome("GET", `/snapshots/${id}`, { as: "second" })).toEqual([404, "SnapshotNotFound"]);
      });
    });

    it("are seen and applied within their scope alone, which may change", async () => {
      await done("PUT", "/facelists/home", { body: { name: "Home" } });
      const id = await taken("FaceList", "home", { applyScope: [UNKNOWN.toUpperCase()] });
      expect((await done("GET", `/snapshots/${id}`)).applyScope).toEqual([UNKNOWN]);
      for (const [method, below, body] of [
        ["GET", "", undefined],
        ["PATCH", "", { userData: "a" }],
        ["DELETE", "", undefined],
        ["POST", "/apply", { objectId: "copy" }],
      ] as const)
        expect(await outcome(method, `/snapshots/${id}${below}`, { body, as: "second" })).toEqual([
          404,
          "SnapshotNotFound",
        ]);
      const own = { body: { objectId: "copy" } };
      expect(await outcome("POST", `/snapshots/${id}/apply`, own)).toEqual([400, "BadArgument"]);
      await done("PATCH", `/snapshots/${id}`, {
        body: { applyScope: [scopeOf("first"), scopeOf("second")], userData: "changed" },
      });
      expect(await done("GET", `/snapshots/${id}`)).toMatchObject({ userData: "changed" });
      const listed = async (query: string, as: "first" | "second" = "first") =>
        (await done("GET", `/snapshots?${query}`, { as })).map((one: { id: string }) => one.id);
      for (const as of ["first", "second"] as const) {
        expect(await listed("", as)).toEqual([id]);
        expect(await listed("type=FaceList", as)).toEqual([id]);
        expect(await listed("type=PersonGroup", as)).toEqual([]);
        expect(await listed(`applyScope=${UNKNOWN},${scopeOf("second")}`, as)).toEqual([id]);
        expect(await listed(`applyScope=${UNKNOWN}`, as)).toEqual([]);
      }
      for (const method of ["PATCH", "DELETE"])
        expect(
          await outcome(method, `/snapshots/${id}`, {
            body: method === "PATCH" ? { userData: "a" } : undefined,
            as: "second",
          }),
        ).toEqual([404, "SnapshotNotFound"]);
      expect((await apply(id, "own-copy", "first")).status).toBe("succeeded");
      await done("PATCH", `/snapshots/${id}`, { body: { applyScope: [scopeOf("first")] } });
      expect(await listed("", "second")).toEqual([]);
      for (const path of [`/snapshots/${id}`, "/facelists/home", "/facelists/own-copy"])
        await done("DELETE", path);
    });

    it("are refused when they are none, or of nothing", async () => {
      const good = { type: "FaceList", objectId: "home", applyScope: [scopeOf("second")] };
      for (const body of [
        {},
        { ...good, type: "Album" },
        { ...good, objectId: "Home" },
        { ...good, applyScope: [] },
        { ...good, applyScope: ["second"] },
        { ...good, applyScope: undefined },
        { ...good, userData: "a".repeat(16_385) },
      ])
        expect(await outcome("POST", "/snapshots", { body })).toEqual([400, "BadArgument"]);
      for (const kind of KINDS) {
        const { snapshotType: type } = kinds[kind];
        expect(await outcome("POST", "/snapshots", { body: { ...good, type } })).toEqual([
          400,
          `${type}NotFound`,
        ]);
      }
      expect(await outcome("GET", `/snapshots/${GONE}`)).toEqual([404, "SnapshotNotFound"]);
      expect(await outcome("GET", `/operations/${GONE}`)).toEqual([404, "OperationNotFound"]);
      expect(await outcome("GET", "/snapshots?type=Album")).toEqual([400, "BadArgument"]);
      expect(await outcome("GET", "/snapshots/none")).toEqual([400, "BadArgument"]);
    });

    it("are applied by one of two who want the same id, and tell the other", async () => {
      await done("PUT", "/largepersongroups/home", { body: { name: "Home" } });
      await stage.crowd({ kind: "largepersongroup", id: "home" }, 600);
      const id = await taken("LargePersonGroup", "home", { applyScope: [scopeOf("first")] });
      const both = await Promise.all(
        [1, 2].map(() => stage.send("POST", `/snapshots/${id}/apply`, { body: { objectId: "copy" } })),
      );
      const outcomes = [];
      for (const { status, headers } of both)
        outcomes.push(status === 202 ? await stage.ended(headers.get("operation-location")) : { status });
      const [won, lost] = outcomes.sort((one) => (one.status === "succeeded" ? -1 : 1));
      expect(won).toMatchObject({ status: "succeeded", resourceLocation: "/largepersongroups/copy" });
      // Who comes when the copy is there already is told at once.
      if (lost.status !== 409)
        expect(lost).toMatchObject({ status: "failed", message: expect.stringContaining("already") });
      expect((await done("GET", "/largepersongroups/copy/persons")).length).toBe(600);
      await done("DELETE", "/largepersongroups/copy");
      await done("DELETE", "/largepersongroups/home");
      await done("DELETE", `/snapshots/${id}`);
      await eventually(async () => isDeepStrictEqual(await stage.kept(), NOTHING_KEPT), "all freed");
    });

    it("tell nobody else how their operations go", async () => {
      await done("PUT", "/facelists/home", { body: { name: "Home" } });
      const body = { type: "FaceList", objectId: "home", applyScope: [scopeOf("second")] };
      const sent = await stage.send("POST", "/snapshots", { body });
      const location = sent.headers.get("operation-location") ?? "";
      expect(await outcome("GET", location, { as: "second" })).toEqual([404, "OperationNotFound"]);
      const { resourceLocation } = await stage.ended(location);
      await done("DELETE", resourceLocation);
      await done("DELETE", "/facelists/home");
    });

    it("expire after 48 hours, with all they hold", async () => {
      await instance().clock.freeze();
      await done("PUT", "/persongroups/home", { body: { name: "Home" } });
      const { personId } = await done("POST", "/persongroups/home/persons", { body: { name: "Ann" } });
      await stage.keep({ kind: "persongroup", id: "home", personId }, [{ person: "ann", picture: 1 }]);
      await stage.train("/persongroups/home");
      const id = await taken("PersonGroup", "home");
      await done("DELETE", "/persongroups/home");
      await instance().clock.advance("47h");
      expect((await done("GET", `/snapshots/${id}`, { as: "second" })).id).toBe(id);
      await instance().clock.advance("1h");
      for (const as of ["first", "second"] as const) {
        expect(await outcome("GET", `/snapshots/${id}`, { as })).toEqual([404, "SnapshotNotFound"]);
        expect(await done("GET", "/snapshots", { as })).toEqual([]);
      }
      await instance().clock.resume();
      await eventually(async () => isDeepStrictEqual(await stage.kept(), NOTHING_KEPT), "all freed");
    });
  },
  { services: ["face"], extraServices: [faceMaker] },
);
