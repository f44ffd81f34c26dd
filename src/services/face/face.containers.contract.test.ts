/** Lists, groups, persons and kept faces over HTTP, on both databases. */
import { describe, expect, it } from "vitest";
import { FaceStage, faceMaker } from "../../../tests/support/face.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";
import { KINDS, type Kind, kinds } from "./domain/containers.ts";

const GONE = "00000000-0000-4000-8000-000000000000";

onBothDatabases(
  "lists and groups",
  (instance) => {
    const stage = new FaceStage(instance);
    const { send, done, outcome } = {
      send: stage.send.bind(stage),
      done: stage.done.bind(stage),
      outcome: stage.outcome.bind(stage),
    };
    const codeOf = (kind: Kind, end: string) => kinds[kind].snapshotType + end;

    describe.each(KINDS)("a %s", (kind) => {
      const { path, idName } = kinds[kind];
      const at = (id: string) => `/${path}/${id}`;

      it("is made, shown, changed, listed and deleted", async () => {
        const body = { name: "Family", userData: "ours", recognitionModel: "recognition_04" };
        const made = await send("PUT", at("family"), { body });
        expect([made.status, made.text]).toEqual([200, ""]);
        const faces = kind === "facelist" ? { persistedFaces: [] } : {};
        expect(await done("GET", at("family"))).toEqual({
          [idName]: "family",
          name: "Family",
          userData: "ours",
          ...faces,
        });
        expect(await done("GET", `${at("family")}?returnRecognitionModel=true`)).toMatchObject({
          recognitionModel: "recognition_04",
        });
        expect(await outcome("PUT", at("family"), { body })).toEqual([409, codeOf(kind, "Exists")]);
        await done("PATCH", at("family"), { body: { userData: "theirs" } });
        expect(await done("GET", `/${path}?returnRecognitionModel=true`)).toEqual([
          { [idName]: "family", name: "Family", userData: "theirs", recognitionModel: "recognition_04" },
        ]);
        await done("DELETE", at("family"));
        for (const [method, given] of [
          ["GET", undefined],
          ["PATCH", { name: "again" }],
          ["DELETE", undefined],
        ] as const)
          expect(await outcome(method, at("family"), { body: given })).toEqual([
            404,
            codeOf(kind, "NotFound"),
          ]);
        expect(await done("GET", `/${path}`)).toEqual([]);
      });

      it("has the model of its owner's choice, the first by default", async () => {
        await done("PUT", at("plain"), { body: { name: "a" } });
        const shown = await done("GET", `${at("plain")}?returnRecognitionModel=true`);
        expect(shown.recognitionModel).toBe("recognition_01");
        await done("DELETE", at("plain"));
      });

      it("is refused when it is none", async () => {
        for (const [id, body] of [
          ["Family", { name: "a" }],
          ["fam.ily", { name: "a" }],
          ["a".repeat(65), { name: "a" }],
          ["family", {}],
          ["family", { name: "" }],
          ["family", { name: "a".repeat(129) }],
          ["family", { name: "a", userData: "a".repeat(16_385) }],
          ["family", { name: "a", recognitionModel: "recognition_09" }],
        ] as const)
          expect([id, body, ...(await outcome("PUT", at(id), { body }))]).toEqual([
            id,
            body,
            400,
            "BadArgument",
          ]);
        await done("PUT", at("edge"), {
          body: { name: "a".repeat(128), userData: "a".repeat(16_384) },
        });
        for (const body of [{}, { name: "" }, { userData: "a".repeat(16_385) }])
          expect(await outcome("PATCH", at("edge"), { body })).toEqual([400, "BadArgument"]);
        await done("DELETE", at("edge"));
      });

      it("is the account's own", async () => {
        await done("PUT", at("mine"), { body: { name: "mine" } });
        for (const method of ["GET", "DELETE"])
          expect(await outcome(method, at("mine"), { as: "second" })).toEqual([
            404,
            codeOf(kind, "NotFound"),
          ]);
        await done("PUT", at("mine"), { body: { name: "theirs" }, as: "second" });
        expect((await done("GET", at("mine"))).name).toBe("mine");
        await done("DELETE", at("mine"), { as: "second" });
        await done("DELETE", at("mine"));
        expect((await send("GET", at("mine"), { as: null })).status).toBe(401);
      });
    });

    it.each(["largefacelist", "persongroup", "largepersongroup"] as const)(
      "lists %ss in pages",
      async (kind) => {
        const { path, idName } = kinds[kind];
        const ids = ["a", "a-1", "a_1", "b", "c"];
        for (const id of ids.toReversed()) await done("PUT", `/${path}/${id}`, { body: { name: id } });
        const page = async (query: string) =>
          (await done("GET", `/${path}?${query}`)).map((one: Record<string, string>) => one[idName]);
        const sorted = ids.toSorted();
        expect(await page("")).toEqual(sorted);
        expect(await page("top=2")).toEqual(sorted.slice(0, 2));
        expect(await page(`top=2&start=${sorted[1]}`)).toEqual(sorted.slice(2, 4));
        expect(await page("start=b")).toEqual(["c"]);
        expect(await page("start=zzz")).toEqual([]);
        for (const query of ["top=0", "top=1001", "top=x", `start=${"a".repeat(65)}`])
          expect(await outcome("GET", `/${path}?${query}`)).toEqual([400, "BadArgument"]);
        for (const id of ids) await done("DELETE", `/${path}/${id}`);
      },
    );

    it("has room for 64 face lists", async () => {
      const ids = Array.from({ length: 64 }, (_, index) => `list-${index}`);
      for (const id of ids) await done("PUT", `/facelists/${id}`, { body: { name: id } });
      const over = () => outcome("PUT", "/facelists/one-more", { body: { name: "a" } });
      expect(await over()).toEqual([403, "QuotaExceeded"]);
      expect((await done("GET", "/facelists")).length).toBe(64);
      await done("DELETE", "/facelists/list-0");
      expect(await over()).toEqual([200, ""]);
      for (const id of [...ids.slice(1), "one-more"]) await done("DELETE", `/facelists/${id}`);
    });

    it("has room for 1,000 faces of a face list and 248 of a person, which is told before a picture is looked at", async () => {
      const picture = { headers: { "content-type": "application/octet-stream" }, body: Buffer.alloc(2000) };
      const many = (count: number) =>
        Array.from({ length: count }, (_, at) => ({ person: "ann", picture: at }));
      await done("PUT", "/facelists/full", { body: { name: "Full" } });
      const ids = await stage.keep({ kind: "facelist", id: "full" }, many(1000));
      const toList = () => outcome("POST", "/facelists/full/persistedfaces", picture);
      expect(await toList()).toEqual([403, "QuotaExceeded"]);
      await done("DELETE", `/facelists/full/persistedfaces/${ids[0]}`);
      expect(await toList()).toEqual([400, "InvalidImage"]);
      await done("DELETE", "/facelists/full");

      await done("PUT", "/persongroups/full", { body: { name: "Full" } });
      const { personId } = await done("POST", "/persongroups/full/persons", { body: { name: "Ann" } });
      const faces = await stage.keep({ kind: "persongroup", id: "full", personId }, many(248));
      const person = `/persongroups/full/persons/${personId}/persistedfaces`;
      expect(await outcome("POST", person, picture)).toEqual([403, "QuotaExceeded"]);
      await done("DELETE", `${person}/${faces[0]}`);
      expect(await outcome("POST", person, picture)).toEqual([400, "InvalidImage"]);
      await done("DELETE", "/persongroups/full");
    });

    describe.each(["persongroup", "largepersongroup"] as const)("the persons of a %s", (kind) => {
      const { path } = kinds[kind];

      it("are added, shown, changed, listed in pages and deleted", async () => {
        await done("PUT", `/${path}/club`, { body: { name: "Club" } });
        const persons = `/${path}/club/persons`;
        const ids: string[] = [];
        for (const name of ["Ann", "Ben", "Cleo"]) {
          const { personId, ...rest } = await done("POST", persons, { body: { name } });
          expect(rest).toEqual({});
          ids.push(personId);
        }
        const [ann] = ids as [string, string, string];
        const [face] = await stage.keep({ kind, id: "club", personId: ann }, [{ person: "ann", picture: 1 }]);
        expect(await done("GET", `${persons}/${ann.toUpperCase()}`)).toEqual({
          personId: ann,
          name: "Ann",
          persistedFaceIds: [face],
        });
        await done("PATCH", `${persons}/${ann}`, { body: { userData: "the first" } });
        const all = await done("GET", persons);
        expect(all.map(({ personId }: { personId: string }) => personId)).toEqual(ids.toSorted());
        expect(all.find(({ name }: { name: string }) => name === "Ann")).toEqual({
          personId: ann,
          name: "Ann",
          userData: "the first",
          persistedFaceIds: [face],
        });
        const [first, ...others] = ids.toSorted();
        const rest = await done("GET", `${persons}?start=${first}&top=5`);
        expect(rest.map(({ personId }: { personId: string }) => personId)).toEqual(others);
        await done("DELETE", `${persons}/${ann}`);
        expect(await outcome("GET", `${persons}/${ann}/persistedfaces/${face}`)).toEqual([
          404,
          "PersonNotFound",
        ]);
        expect((await done("GET", persons)).length).toBe(2);
        await done("DELETE", `/${path}/club`);
      });

      it("are refused when they are none, or not there", async () => {
        await done("PUT", `/${path}/club`, { body: { name: "Club" } });
        const persons = `/${path}/club/persons`;
        for (const body of [
          {},
          { name: "" },
          { name: "a".repeat(129) },
          { name: "a", userData: "a".repeat(16_385) },
        ])
          expect(await outcome("POST", persons, { body })).toEqual([400, "BadArgument"]);
        const { personId } = await done("POST", persons, { body: { name: "Ann" } });
        expect(await outcome("PATCH", `${persons}/${personId}`, { body: {} })).toEqual([400, "BadArgument"]);
        expect(await outcome("GET", `${persons}/nobody`)).toEqual([400, "BadArgument"]);
        for (const [method, body] of [
          ["GET", undefined],
          ["PATCH", { name: "a" }],
          ["DELETE", undefined],
        ] as const) {
          expect(await outcome(method, `${persons}/${GONE}`, { body })).toEqual([404, "PersonNotFound"]);
          expect(await outcome(method, `/${path}/none/persons/${GONE}`, { body })).toEqual([
            404,
            codeOf(kind, "NotFound"),
          ]);
          expect(await outcome(method, `${persons}/${personId}/persistedfaces/${GONE}`, { body })).toEqual([
            404,
            "PersistedFaceNotFound",
          ]);
        }
        expect(await outcome("GET", `${persons}?top=1001`)).toEqual([400, "BadArgument"]);
        expect(await outcome("POST", `/${path}/none/persons`, { body: { name: "a" } })).toEqual([
          404,
          codeOf(kind, "NotFound"),
        ]);
        await done("DELETE", `/${path}/club`);
      });

      it("have faces with data of their own", async () => {
        await done("PUT", `/${path}/club`, { body: { name: "Club" } });
        const { personId } = await done("POST", `/${path}/club/persons`, { body: { name: "Ann" } });
        const person = `/${path}/club/persons/${personId}`;
        const pictures = [1, 2].map((picture) => ({ person: "ann", picture }));
        const [one, two] = await stage.keep({ kind, id: "club", personId }, pictures);
        await done("PATCH", `${person}/persistedfaces/${one}`, { body: { userData: "a".repeat(1024) } });
        expect(await done("GET", `${person}/persistedfaces/${one}`)).toEqual({
          persistedFaceId: one,
          userData: "a".repeat(1024),
        });
        const tooLong = { body: { userData: "a".repeat(1025) } };
        expect(await outcome("PATCH", `${person}/persistedfaces/${one}`, tooLong)).toEqual([
          400,
          "BadArgument",
        ]);
        await done("DELETE", `${person}/persistedfaces/${one}`);
        expect((await done("GET", person)).persistedFaceIds).toEqual([two]);
        await done("DELETE", `/${path}/club`);
      });
    });

    describe.each(["facelist", "largefacelist"] as const)("the faces of a %s", (kind) => {
      const { path } = kinds[kind];
      it("are kept and deleted", async () => {
        await done("PUT", `/${path}/all`, { body: { name: "All" } });
        const pictures = [1, 2, 3].map((picture) => ({ person: "ann", picture }));
        const ids = (await stage.keep({ kind, id: "all" }, pictures)).toSorted();
        const list = async () =>
          kind === "facelist"
            ? (await done("GET", `/${path}/all`)).persistedFaces
            : await done("GET", `/${path}/all/persistedfaces`);
        expect(await list()).toEqual(ids.map((persistedFaceId) => ({ persistedFaceId })));
        await done("DELETE", `/${path}/all/persistedfaces/${ids[0]}`);
        expect((await list()).length).toBe(2);
        for (const [id, face, code] of [
          ["all", ids[0], "PersistedFaceNotFound"],
          ["none", ids[1], codeOf(kind, "NotFound")],
        ])
          expect(await outcome("DELETE", `/${path}/${id}/persistedfaces/${face}`)).toEqual([404, code]);
        await done("DELETE", `/${path}/all`);
      });
    });

    it("pages through the faces of a large face list, and changes their data", async () => {
      await done("PUT", "/largefacelists/all", { body: { name: "All" } });
      const pictures = Array.from({ length: 5 }, (_, picture) => ({ person: "ann", picture }));
      const ids = (await stage.keep({ kind: "largefacelist", id: "all" }, pictures)).toSorted();
      const faces = "/largefacelists/all/persistedfaces";
      const page = async (query: string) =>
        (await done("GET", `${faces}?${query}`)).map(
          ({ persistedFaceId }: { persistedFaceId: string }) => persistedFaceId,
        );
      expect(await page("top=2")).toEqual(ids.slice(0, 2));
      expect(await page(`top=2&start=${ids[1]}`)).toEqual(ids.slice(2, 4));
      await done("PATCH", `${faces}/${ids[0]}`, { body: { userData: "first" } });
      expect(await done("GET", `${faces}/${ids[0]}`)).toEqual({ persistedFaceId: ids[0], userData: "first" });
      for (const method of ["GET", "PATCH"]) {
        const body = method === "PATCH" ? { userData: "a" } : undefined;
        expect(await outcome(method, `${faces}/${GONE}`, { body })).toEqual([404, "PersistedFaceNotFound"]);
        expect(await outcome(method, `/largefacelists/none/persistedfaces/${GONE}`, { body })).toEqual([
          404,
          "LargeFaceListNotFound",
        ]);
      }
      expect(await outcome("GET", "/largefacelists/none/persistedfaces")).toEqual([
        404,
        "LargeFaceListNotFound",
      ]);
      await done("DELETE", "/largefacelists/all");
    });
  },
  { services: ["face"], extraServices: [faceMaker] },
);
