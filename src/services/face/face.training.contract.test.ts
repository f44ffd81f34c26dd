/** Training, and what is found after it, over HTTP on both databases. */
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { eventually } from "../../../tests/support/eventually.ts";
import { descriptorFor, FaceStage, faceMaker, NOTHING_KEPT } from "../../../tests/support/face.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";
import { type GroupKind, kinds } from "./domain/containers.ts";
import { textOf } from "./domain/descriptor.ts";

onBothDatabases(
  "training",
  (instance) => {
    const stage = new FaceStage(instance);
    const done = stage.done.bind(stage);
    const outcome = stage.outcome.bind(stage);

    const addPerson = async (kind: GroupKind, id: string, name: string, pictures: readonly number[]) => {
      const { personId } = await done("POST", `/${kinds[kind].path}/${id}/persons`, { body: { name } });
      const faces = pictures.map((picture) => ({ person: name, picture }));
      const ids = await stage.keep({ kind, id, personId }, faces);
      return { personId: personId as string, ids };
    };
    const personsOf = (near: { personId: string }[]) => near.map(({ personId }) => personId);

    describe.each(["persongroup", "largepersongroup"] as const)("of a %s", (kind) => {
      const { path, snapshotType } = kinds[kind];
      const ref = { kind, id: "team" };
      const team = `/${path}/team`;

      it("goes through its states, and counts what there was when it was asked for", async () => {
        await done("PUT", team, { body: { name: "Team" } });
        expect(await outcome("GET", `${team}/training`)).toEqual([404, `${snapshotType}NotTrained`]);
        expect(await stage.nearest(ref, "ann")).toEqual([400, `${snapshotType}NotTrained`]);
        expect(await stage.train(team)).toEqual({
          status: "failed",
          createdDateTime: expect.any(String),
          lastActionDateTime: expect.any(String),
          message: expect.stringContaining("no face"),
        });
        expect(await stage.nearest(ref, "ann")).toEqual([400, `${snapshotType}NotTrained`]);
        const ann = await addPerson(kind, "team", "ann", [1, 2]);
        const ben = await addPerson(kind, "team", "ben", [1]);
        const trained = await stage.train(team);
        expect(trained.status).toBe("succeeded");
        expect(trained.lastSuccessfulTrainingDateTime).toBe(trained.lastActionDateTime);
        const found = await stage.nearest(ref, "ann");
        expect(personsOf(found)).toEqual([ann.personId, ben.personId]);
        expect(found[0].distance).toBeLessThan(0.4);
        expect(found[1].distance).toBeGreaterThan(0.9);

        const cleo = await addPerson(kind, "team", "cleo", [1]);
        expect(personsOf(await stage.nearest(ref, "cleo"))).not.toContain(cleo.personId);
        await stage.train(team);
        expect(personsOf(await stage.nearest(ref, "cleo"))[0]).toBe(cleo.personId);
        await done("DELETE", team);
        expect(await stage.nearest(ref, "ann")).toEqual([400, `${snapshotType}NotFound`]);
      });

      it("forgets at once who was deleted, and keeps who has faces left", async () => {
        await done("PUT", team, { body: { name: "Team" } });
        const ann = await addPerson(kind, "team", "ann", [1, 99]);
        const ben = await addPerson(kind, "team", "ben", [1]);
        await stage.train(team);
        const [same] = await stage.nearest(ref, "ann");
        expect([same.personId, same.distance < 0.001]).toEqual([ann.personId, true]);
        // Picture 99 is the very one that is looked for; without it the other stands for Ann.
        await done("DELETE", `${team}/persons/${ann.personId}/persistedfaces/${ann.ids[1]}`);
        const [first] = await stage.nearest(ref, "ann");
        expect([first.personId, first.distance > 0.1]).toEqual([ann.personId, true]);
        await done("DELETE", `${team}/persons/${ann.personId}`);
        expect(personsOf(await stage.nearest(ref, "ann"))).toEqual([ben.personId]);
        await stage.train(team);
        expect(personsOf(await stage.nearest(ref, "ann"))).toEqual([ben.personId]);
        await done("DELETE", `${team}/persons/${ben.personId}`);
        expect(await stage.nearest(ref, "ben")).toEqual([]);
        expect((await stage.train(team)).status).toBe("failed");
        await done("DELETE", team);
      });
    });

    it("takes in all who ask while it waits", async () => {
      await done("PUT", "/persongroups/busy", { body: { name: "Busy" } });
      await addPerson("persongroup", "busy", "ann", [1]);
      const asked = await Promise.all(
        Array.from({ length: 8 }, () => stage.send("POST", "/persongroups/busy/train")),
      );
      expect(asked.map(({ status, text }) => [status, text])).toEqual(asked.map(() => [202, ""]));
      expect((await stage.train("/persongroups/busy")).status).toBe("succeeded");
      await done("DELETE", "/persongroups/busy");
    });

    it("of a large face list is needed, and of a face list is not", async () => {
      for (const kind of ["facelist", "largefacelist"] as const) {
        const { path, snapshotType } = kinds[kind];
        const list = `/${path}/faces`;
        await done("PUT", list, { body: { name: "Faces" } });
        const ref = { kind, id: "faces" };
        const isLarge = kind === "largefacelist";
        expect(await stage.nearest(ref, "ann")).toEqual([
          400,
          isLarge ? "LargeFaceListNotTrained" : "FaceListNotReady",
        ]);
        const faces = ["ann", "ben", "cleo"].map((person) => ({ person, picture: 1 }));
        const ids = await stage.keep(ref, faces);
        if (isLarge) await stage.train(list);
        const found = await stage.nearest(ref, "ben", { limit: 2 });
        expect([found.length, found[0].persistedFaceId]).toEqual([2, ids[1]]);
        await done("DELETE", `${list}/persistedfaces/${ids[1]}`);
        const left = await stage.nearest(ref, "ben", { limit: 5 });
        expect(
          left.map(({ persistedFaceId }: { persistedFaceId: string }) => persistedFaceId).sort(),
        ).toEqual([ids[0], ids[2]].sort());
        expect(await outcome("POST", `/${path}/none/train`)).toEqual([
          404,
          isLarge ? "LargeFaceListNotFound" : expect.any(String),
        ]);
        expect(await stage.nearest({ kind, id: "none" }, "ann")).toEqual([400, `${snapshotType}NotFound`]);
        await done("DELETE", list);
      }
    });

    it.each(["persongroup", "largepersongroup", "largefacelist"] as const)(
      "of a %s must have ended before it is searched",
      async (kind) => {
        const { path, idName, snapshotType } = kinds[kind];
        const ref = { kind, id: "slow" };
        const slow = `/${path}/slow`;
        await done("PUT", slow, { body: { name: "Slow" } });
        const faceId = await stage.detect("ann");
        const search = kind === "largefacelist" ? "/findsimilars" : "/identify";
        const query = kind === "largefacelist" ? { faceId } : { faceIds: [faceId] };
        const searched = () => outcome("POST", search, { body: { ...query, [idName]: "slow" } });
        expect(await outcome("GET", `${slow}/training`)).toEqual([404, `${snapshotType}NotTrained`]);
        expect(await searched()).toEqual([400, `${snapshotType}NotTrained`]);
        await stage.beginTraining(ref);
        expect((await done("GET", `${slow}/training`)).status).toBe("running");
        expect(await searched()).toEqual([409, `${snapshotType}TrainingNotFinished`]);
        if (kind === "largefacelist") await stage.keep(ref, [{ person: "ann", picture: 1 }]);
        else await addPerson(kind, "slow", "ann", [1]);
        expect((await stage.train(slow)).status).toBe("succeeded");
        expect(await searched()).toEqual([200, ""]);
        // Another training does not take away what the one before it knows.
        await done("POST", `${slow}/train`);
        expect(await searched()).toEqual([200, ""]);
        await done("DELETE", slow);
      },
    );

    it("is not needed of a face list, but a face is", async () => {
      await done("PUT", "/facelists/empty", { body: { name: "Empty" } });
      const body = { faceId: await stage.detect("ann"), faceListId: "empty" };
      expect(await outcome("POST", "/findsimilars", { body })).toEqual([400, "FaceListNotReady"]);
      const [id] = await stage.keep({ kind: "facelist", id: "empty" }, [{ person: "ann", picture: 1 }]);
      expect((await done("POST", "/findsimilars", { body }))[0].persistedFaceId).toBe(id);
      await done("DELETE", "/facelists/empty");
    });

    it("spans many blocks, and finds each of them", async () => {
      const ref = { kind: "largefacelist", id: "many" } as const;
      await done("PUT", "/largefacelists/many", { body: { name: "Many" } });
      const faces = Array.from({ length: 700 }, (_, at) => ({ person: `person ${at}`, picture: 1 }));
      const ids = await stage.keep(ref, faces);
      await stage.train("/largefacelists/many");
      for (const at of [0, 255, 256, 511, 699]) {
        const [best] = await stage.nearest(ref, `person ${at}`, { limit: 1 });
        expect(best.persistedFaceId).toBe(ids[at]);
      }
      await done("DELETE", "/largefacelists/many");
    });

    it("leaves nothing behind of what was deleted", async () => {
      await eventually(async () => isDeepStrictEqual(await stage.kept(), NOTHING_KEPT), "all freed");
    });

    it("moves with an export, in which every descriptor is sealed", async () => {
      const ref = { kind: "persongroup", id: "moved" } as const;
      await done("PUT", "/persongroups/moved", { body: { name: "Moved" } });
      const { personId } = await addPerson("persongroup", "moved", "ann", [1, 2]);
      await stage.train("/persongroups/moved");
      const before = await stage.nearest(ref, "ann");
      const saved = await instance().bearer("GET", "/_medley/state?service=face");
      for (const picture of [1, 2])
        expect(saved.text).not.toContain(textOf(descriptorFor("ann", picture)).slice(8, 60));
      await instance().bearer("POST", "/_medley/state/reset", { body: { service: "face" } });
      expect(await outcome("GET", "/persongroups/moved")).toEqual([404, "PersonGroupNotFound"]);
      const loaded = await instance().bearer("PUT", "/_medley/state?service=face", { body: saved.text });
      expect([loaded.status, loaded.text]).toEqual([200, expect.any(String)]);
      expect(await stage.nearest(ref, "ann")).toEqual(before);
      expect(before[0].personId).toBe(personId);
      await done("DELETE", "/persongroups/moved");
    });
  },
  { services: ["face"], extraServices: [faceMaker] },
);
