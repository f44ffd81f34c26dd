/** Demo data: there once, with faces that are told apart. */
import { expect, it } from "vitest";
import { eventually } from "../../../tests/support/eventually.ts";
import { onBothDatabases, type SendOptions } from "../../../tests/support/medley.ts";
import { PORTRAITS } from "./domain/portraits.ts";
import { portraitOf } from "./recognizer/portraits.ts";

onBothDatabases(
  "demo data",
  (instance) => {
    const send = (method: string, path: string, options: SendOptions = {}) =>
      instance().apiKey("Vendor-Subscription-Key", method, `/face/v1.0${path}`, options);
    const seed = async () =>
      (await instance().bearer("POST", "/_medley/seed", { body: {} })).body.made[0].rows;
    const detect = async (name: string): Promise<string> => {
      const { body, text } = await send("POST", "/detect?recognitionModel=recognition_04", {
        body: Buffer.from(portraitOf(name) as Uint8Array),
        headers: { "content-type": "application/octet-stream" },
      });
      expect(body, text).toHaveLength(1);
      return body[0].faceId;
    };

    it("is there once", async () => {
      expect(await seed()).toBeGreaterThan(3);
      expect(await seed()).toBe(0);
    });
    it("gives each person a face and trains the group, once", async () => {
      await eventually(async () => {
        const { body } = await send("GET", "/persongroups/demo-family/training");
        return body.status === "succeeded";
      });
      const { body: persons } = await send("GET", "/persongroups/demo-family/persons");
      expect(persons.map((one: { name: string }) => one.name).sort()).toEqual([...PORTRAITS.keys()]);
      for (const { persistedFaceIds } of persons) expect(persistedFaceIds).toHaveLength(1);
    });
    it("recognises each of them, and takes none for another", async () => {
      const { body: persons } = await send("GET", "/persongroups/demo-family/persons");
      for (const { name, personId } of persons) {
        const { body, text } = await send("POST", "/identify", {
          body: {
            faceIds: [await detect(name)],
            personGroupId: "demo-family",
            maxNumOfCandidatesReturned: 3,
          },
        });
        expect(body, text).toHaveLength(1);
        expect(body[0].candidates.map((one: { personId: string }) => one.personId)).toEqual([personId]);
      }
    });
    it("knows no portrait of others", () => {
      expect(portraitOf("Zed")).toBeUndefined();
    });
  },
  { services: ["face"] },
);
