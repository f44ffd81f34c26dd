/** Detection and recognition over HTTP, on both databases. */
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeAll, expect, it } from "vitest";
import { changed, changes, portraitOf } from "../../../tests/support/face-pictures.ts";
import { accounts, type Instance, onBothDatabases, type SendOptions } from "../../../tests/support/medley.ts";

const MOUNT = "/face/v1.0";
const BYTES = { "content-type": "application/octet-stream" };
const NOBODY = "3fa85f64-5717-4562-b3fc-2c963f66afa6";

const face = (instance: Instance, path: string, options: SendOptions = {}) =>
  instance.apiKey("Vendor-Subscription-Key", "POST", `${MOUNT}${path}`, options);
const detect = (instance: Instance, picture: Uint8Array, query = "", options: SendOptions = {}) =>
  face(instance, `/detect${query}`, { body: picture, headers: BYTES, ...options });
const refused = (status: number, code: string, message = "") => ({
  status,
  body: { error: { code, message: expect.stringContaining(message) } },
});

/** A server with one picture and some answers that hold none. */
async function pictureServer(picture: Buffer) {
  const server = createServer((incoming, outgoing) => {
    if (incoming.url === "/ann.jpg") outgoing.writeHead(200, { "content-type": "image/jpeg" }).end(picture);
    else if (incoming.url?.startsWith("/bytes/"))
      outgoing.writeHead(200).end(Buffer.alloc(Number(incoming.url.slice("/bytes/".length))));
    else if (incoming.url === "/page") outgoing.writeHead(200).end("<html>".repeat(500));
    else outgoing.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop: () => server.close() };
}

/** Without a length, in pieces, as streams are sent. */
function sendInPieces(instance: Instance, picture: Buffer): Promise<{ status: number; body: unknown }> {
  return new Promise((resolve, reject) => {
    const key = accounts.first.apiKeys[0]!;
    const headers = { ...BYTES, "ocp-apim-subscription-key": key, "transfer-encoding": "chunked" };
    const sent = request(`${instance.url}${MOUNT}/detect`, { method: "POST", headers }, async (answer) => {
      let text = "";
      for await (const piece of answer) text += piece;
      resolve({ status: answer.statusCode ?? 0, body: JSON.parse(text) });
    });
    sent.on("error", reject);
    for (let at = 0; at < picture.length; at += 4000) sent.write(picture.subarray(at, at + 4000));
    sent.end();
  });
}

onBothDatabases(
  "faces",
  (instance) => {
    const ids: Record<string, string> = {};
    let ann: Buffer;
    beforeAll(async () => {
      ann = await portraitOf("ann");
      const pictures = {
        ann,
        "ann again": await changed(ann, changes.darker!),
        cleo: await portraitOf("cleo"),
      };
      for (const [name, picture] of Object.entries(pictures)) {
        const { body } = await detect(instance(), picture);
        ids[name] = body[0].faceId;
      }
    });

    it("are detected by bytes, with landmarks, attributes and the model", async () => {
      const query = "?returnFaceLandmarks=true&returnRecognitionModel=true&recognitionModel=recognition_04";
      const wanted =
        "&returnFaceAttributes=age,gender,headPose,smile,emotion,blur,exposure,noise,qualityForRecognition";
      const { status, body } = await detect(instance(), ann, query + wanted);
      expect(status).toBe(200);
      expect(body).toHaveLength(1);
      expect(body[0]).toMatchObject({ recognitionModel: "recognition_04", faceId: expect.any(String) });
      expect(Object.keys(body[0].faceLandmarks)).toHaveLength(27);
      expect(Object.keys(body[0].faceAttributes).sort()).toEqual([
        "age",
        "blur",
        "emotion",
        "exposure",
        "gender",
        "headPose",
        "noise",
        "qualityForRecognition",
        "smile",
      ]);
      ids.later = body[0].faceId;
      const { blur, exposure, noise, qualityForRecognition } = body[0].faceAttributes;
      expect([blur.blurLevel, exposure.exposureLevel, noise.noiseLevel, qualityForRecognition]).toEqual([
        expect.stringMatching(/^(Low|Medium|High)$/),
        expect.stringMatching(/Exposure$/),
        expect.stringMatching(/^(Low|Medium|High)$/),
        expect.stringMatching(/^(low|medium|high)$/),
      ]);
    });
    it.each(["v1.1-preview.1", "v1.2"])("have their words in small letters at %s", async (version) => {
      const query =
        "?returnFaceAttributes=BLUR,exposure,noise&recognitionModel=Recognition_04&returnFaceId=false";
      const headers = { ...BYTES, "vendor-subscription-key": "first-api-key-0001" };
      const path = `/face/${version}/detect${query}`;
      const { status, body } = await instance().send("POST", path, { headers, body: ann });
      expect([status, JSON.stringify(body[0].faceAttributes)]).toEqual([
        200,
        expect.stringMatching(/"blurLevel":"[lmh].*"exposureLevel":"[ugo].*"noiseLevel":"[lmh]/),
      ]);
    });
    it("are not looked for in text", async () => {
      for (const type of ["text/plain", "text/plain; charset=utf-8", "application/x-www-form-urlencoded"]) {
        const headers = { "content-type": type };
        const body = JSON.stringify({ url: "https://pictures.example/a.jpg" });
        for (const path of ["/detect", "/verify"])
          expect([type, path, (await face(instance(), path, { headers, body })).status]).toEqual([
            type,
            path,
            415,
          ]);
      }
    });
    it("are detected in pieces without a length, without ids where none are wanted, and by address", async () => {
      const pieces = await sendInPieces(instance(), ann);
      expect(pieces).toMatchObject({ status: 200, body: [{ faceRectangle: { width: expect.any(Number) } }] });
      const server = await pictureServer(ann);
      try {
        const ask = (path: string, query = "") =>
          face(instance(), `/detect${query}`, { body: { url: `${server.url}${path}` } });
        const { body } = await ask("/ann.jpg", "?returnFaceId=false");
        expect(body).toEqual([{ faceRectangle: expect.anything() }]);
        expect(await ask("/missing.jpg")).toMatchObject(refused(400, "InvalidURL", "404"));
        expect(await ask("/bytes/6291456")).toMatchObject(refused(400, "InvalidImage", "unsupported"));
        expect(await ask("/bytes/6291457")).toMatchObject(
          refused(400, "InvalidImageSize", "has at most 6 MB"),
        );
        expect(await ask("/page")).toMatchObject(refused(400, "InvalidImage", "unsupported"));
      } finally {
        server.stop();
      }
    });
    it.each([
      ["ftp://pictures.example/a.jpg", "InvalidURL"],
      ["nonsense", "InvalidURL"],
      ["http://169.254.169.254/latest/meta-data", "InvalidURL"],
      ["http://10.0.0.1/a.jpg", "InvalidURL"],
    ])("are not looked for at %s", async (url, code) => {
      expect(await face(instance(), "/detect", { body: { url } })).toMatchObject(refused(400, code));
    });
    it.each([
      [
        "?detectionModel=detection_02&returnFaceLandmarks=true",
        "'returnLandmarks' is not supported by detection_02.",
      ],
      [
        "?detectionModel=detection_02&returnFaceAttributes=headPose",
        "'returnFaceAttributes' is not supported",
      ],
      ["?returnFaceAttributes=hat", "Invalid argument returnFaceAttributes"],
      ["?returnFaceAttributes=glasses", "supported by detection_01"],
      ["?returnFaceAttributes=qualityForRecognition", "recognition_03 and recognition_04"],
      ["?recognitionModel=recognition_09", "recognitionModel"],
      ["?detectionModel=detection_09", "detectionModel"],
      ["?faceIdTimeToLive=59", "faceIdTimeToLive"],
      ["?faceIdTimeToLive=86401", "faceIdTimeToLive"],
    ])("are not looked for with %s", async (query, message) => {
      expect(await detect(instance(), ann, query)).toMatchObject(refused(400, "BadArgument", message));
    });
    it("are not looked for in what is no picture, or one of no good size", async () => {
      const small = Buffer.alloc(1000);
      expect(await detect(instance(), small)).toMatchObject(refused(400, "InvalidImageSize", "1 KB"));
      const large = Buffer.alloc(6 * 1024 * 1024 + 1);
      expect(await detect(instance(), large)).toMatchObject(refused(400, "InvalidImageSize"));
      const text = Buffer.from("no picture ".repeat(200));
      expect(await detect(instance(), text)).toMatchObject(refused(400, "InvalidImage"));
      expect(await face(instance(), "/detect", { body: {} })).toMatchObject(refused(400, "BadArgument"));
      expect(await face(instance(), "/detect", { body: { url: "" } })).toMatchObject(
        refused(400, "BadArgument"),
      );
    });
    it("need a key", async () => {
      expect(await detect(instance(), ann, "", { as: null })).toMatchObject(refused(401, "401"));
    });

    it("are verified: the same person, and another", async () => {
      const verify = (faceId1?: string, faceId2?: string) =>
        face(instance(), "/verify", { body: { faceId1, faceId2 } });
      const same = await verify(ids.ann, ids["ann again"]);
      expect(same).toMatchObject({ status: 200, body: { isIdentical: true } });
      expect(same.body.confidence).toBeGreaterThan(0.7);
      const other = await verify(ids.ann, ids.cleo);
      expect(other).toMatchObject({ status: 200, body: { isIdentical: false } });
      expect(other.body.confidence).toBeLessThan(0.5);
      expect((await verify(ids.ann?.toUpperCase(), ids.ann)).body).toEqual({
        isIdentical: true,
        confidence: expect.closeTo(1, 3),
      });
      expect(await verify(ids.ann, NOBODY)).toMatchObject(refused(404, "FaceNotFound"));
      expect(await verify(ids.ann, ids.later)).toMatchObject(
        refused(400, "BadArgument", "'recognitionModel' is incompatible."),
      );
      expect(await verify(ids.ann)).toMatchObject(refused(400, "BadArgument"));
      expect(await verify(ids.ann, "ann")).toMatchObject(refused(400, "BadArgument"));
    });
    it("are known as long as was asked for, and no longer", async () => {
      const { body } = await detect(instance(), ann, "?faceIdTimeToLive=60&recognitionModel=recognition_04");
      const verify = () =>
        face(instance(), "/verify", { body: { faceId1: body[0].faceId, faceId2: body[0].faceId } });
      await instance().clock.freeze();
      await instance().clock.advance("50s");
      expect((await verify()).status).toBe(200);
      await instance().clock.advance("10s");
      expect(await verify()).toMatchObject(refused(404, "FaceNotFound"));
      await instance().clock.resume();
    });
    it("are held against a person of a group", async () => {
      const named = { personGroupId: "kin" };
      const put = { body: { name: "Kin" } };
      await instance().apiKey("Vendor-Subscription-Key", "PUT", `${MOUNT}/persongroups/kin`, put);
      const { body } = await face(instance(), "/persongroups/kin/persons", { body: { name: "Ann" } });
      const verify = (more: object) => face(instance(), "/verify", { body: { faceId: ids.ann, ...more } });
      const person = { ...named, personId: body.personId };
      expect(await verify(person)).toMatchObject(refused(404, "PersistedFaceNotFound"));
      await face(instance(), `/persongroups/kin/persons/${body.personId}/persistedfaces`, {
        body: ann,
        headers: BYTES,
      });
      expect(await verify(person)).toMatchObject({ status: 200, body: { isIdentical: true } });
      expect(await verify({ ...person, faceId: ids.cleo })).toMatchObject({ body: { isIdentical: false } });
      expect(await verify({ ...person, faceId: ids.later })).toMatchObject(
        refused(400, "BadArgument", "incompatible"),
      );
      expect(await verify({ ...named, personId: NOBODY })).toMatchObject(refused(400, "PersonNotFound"));
      expect(await verify({ ...person, personGroupId: "nobody" })).toMatchObject(
        refused(400, "PersonGroupNotFound"),
      );
      expect(await verify({ ...person, largePersonGroupId: "kin" })).toMatchObject(
        refused(400, "PersonGroupIdAndLargePersonGroupIdBothNotNull"),
      );
      expect(await verify({ personId: body.personId })).toMatchObject(
        refused(400, "PersonGroupIdAndLargePersonGroupIdBothNull"),
      );
    });
    it.each(["facelists", "largefacelists", "largepersongroups"])(
      "are added to %s by their picture",
      async (kind) => {
        const put = { body: { name: "Kin" } };
        await instance().apiKey("Vendor-Subscription-Key", "PUT", `${MOUNT}/${kind}/relatives`, put);
        const isGroup = kind === "largepersongroups";
        const person = isGroup && (await face(instance(), `/${kind}/relatives/persons`, put)).body.personId;
        const place = `/${kind}/relatives${isGroup ? `/persons/${person}` : ""}/persistedfaces`;
        expect(await face(instance(), place, { body: ann, headers: BYTES })).toMatchObject({
          status: 200,
          body: { persistedFaceId: expect.any(String) },
        });
      },
    );
    it("are found among others: of the same person, or the most alike", async () => {
      const find = (more: object) =>
        face(instance(), "/findsimilars", { body: { faceId: ids.ann, ...more } });
      const faceIds = [ids.cleo, ids["ann again"]];
      expect((await find({ faceIds })).body).toEqual([
        { faceId: ids["ann again"], confidence: expect.any(Number) },
      ]);
      const all = await find({ faceIds, mode: "matchFace" });
      expect(all.body.map(({ faceId }: { faceId: string }) => faceId)).toEqual([ids["ann again"], ids.cleo]);
      expect((await find({ faceIds, mode: "matchFace", maxNumOfCandidatesReturned: 1 })).body).toHaveLength(
        1,
      );
      expect(await find({})).toMatchObject(refused(400, "BadArgument", "all null"));
      expect(await find({ faceIds, faceListId: "visitors" })).toMatchObject(
        refused(400, "BadArgument", "2 or more"),
      );
      expect(await find({ faceIds: [NOBODY] })).toMatchObject(refused(400, "FaceNotFound"));
      expect(await find({ faceIds: [ids.later] })).toMatchObject(refused(400, "BadArgument", "incompatible"));
      expect(await find({ faceListId: "visitors" })).toMatchObject(refused(400, "FaceListNotFound"));
      expect(await find({ largeFaceListId: "visitors" })).toMatchObject(
        refused(400, "LargeFaceListNotFound"),
      );
      expect(await find({ faceIds: [] })).toMatchObject(refused(400, "BadArgument"));
      expect(await find({ faceIds, mode: "matchAll" })).toMatchObject(refused(400, "BadArgument"));
      expect(await find({ faceIds, maxNumOfCandidatesReturned: 1001 })).toMatchObject(
        refused(400, "BadArgument"),
      );
    });
    it("are grouped, in any order", async () => {
      const group = (...names: string[]) =>
        face(instance(), "/group", { body: { faceIds: names.map((name) => ids[name] ?? name) } });
      const one = await group("ann", "cleo", "ann again");
      expect(one).toMatchObject({ status: 200, body: { messyGroup: [ids.cleo] } });
      expect(one.body.groups).toEqual([[ids.ann, ids["ann again"]].sort()]);
      expect((await group("ann again", "ann", "cleo")).body).toEqual(one.body);
      expect(await group("ann")).toMatchObject(refused(400, "BadArgument"));
      expect(await group("ann", "later")).toMatchObject(refused(400, "BadArgument", "incompatible"));
      expect(await group("ann", NOBODY)).toMatchObject(refused(400, "FaceNotFound"));
    });
    it("are identified only in a group that is there and named once", async () => {
      const identify = (more: object) =>
        face(instance(), "/identify", { body: { faceIds: [ids.ann], ...more } });
      expect(await identify({})).toMatchObject(refused(400, "PersonGroupIdAndLargePersonGroupIdBothNull"));
      const both = { personGroupId: "family", largePersonGroupId: "town" };
      expect(await identify(both)).toMatchObject(
        refused(400, "PersonGroupIdAndLargePersonGroupIdBothNotNull"),
      );
      expect(await identify({ personGroupId: "nobody" })).toMatchObject(refused(400, "PersonGroupNotFound"));
      expect(await identify({ largePersonGroupId: "nobody" })).toMatchObject(
        refused(400, "LargePersonGroupNotFound"),
      );
      const eleven = Array.from({ length: 11 }, () => ids.ann);
      expect(await identify({ personGroupId: "family", faceIds: eleven })).toMatchObject(
        refused(400, "BadArgument"),
      );
    });
    it("belong to the account that detected them", async () => {
      const body = { faceId1: ids.ann, faceId2: ids.cleo };
      expect(await face(instance(), "/verify", { body, as: "second" })).toMatchObject(
        refused(404, "FaceNotFound"),
      );
    });
    it("show no picture in the request log, and no descriptor anywhere", async () => {
      const { text } = await instance().bearer("GET", "/_medley/requests?limit=200");
      expect(text).toContain(" bytes of application/octet-stream");
      expect(text).not.toContain("JFIF");
      const { text: state } = await instance().bearer("GET", "/_medley/state?service=face");
      const rows = state.split("\n").filter((line) => line.includes("face_detected"));
      expect(rows.length).toBeGreaterThan(0);
    });
    it("live to the last millisecond of their time, and their descriptors are deleted with it", async () => {
      const kept = async (): Promise<number> => {
        const { text } = await instance().bearer("GET", "/_medley/state?service=face");
        return text.split('"table":"face_detected"').length - 1;
      };
      const before = await kept();
      await instance().clock.freeze();
      const idFor = async (seconds: number): Promise<string> =>
        (await detect(instance(), ann, `?faceIdTimeToLive=${seconds}`)).body[0].faceId;
      const [first, second] = [await idFor(60), await idFor(61)];
      const group = (id: string) => face(instance(), "/group", { body: { faceIds: [id, ids.cleo] } });
      await instance().clock.advance(59_999);
      expect([(await group(first)).status, await kept()]).toEqual([200, before + 2]);
      await instance().clock.advance(1);
      expect([await group(first), await kept()]).toMatchObject([refused(400, "FaceNotFound"), before + 1]);
      // Descriptors that end within a minute of each other are deleted together, but none is good for longer.
      await instance().clock.advance(999);
      expect((await group(second)).status).toBe(200);
      await instance().clock.advance(1);
      expect([await group(second), await kept()]).toMatchObject([refused(400, "FaceNotFound"), before + 1]);
      await instance().clock.advance(59_000);
      expect(await kept()).toBe(before);
      await instance().clock.resume();
    });
    it("are forgotten when their time is over", async () => {
      const { body } = await detect(instance(), ann, "?faceIdTimeToLive=60");
      const group = (faceId: string) => face(instance(), "/group", { body: { faceIds: [faceId, ids.cleo] } });
      expect((await group(body[0].faceId)).status).toBe(200);
      await instance().clock.advance("61s");
      expect(await group(body[0].faceId)).toMatchObject(refused(400, "FaceNotFound"));
      expect((await group(ids.ann!)).status).toBe(200);
      await instance().clock.advance("25h");
      expect(await group(ids.ann!)).toMatchObject(refused(400, "FaceNotFound"));
      const { text } = await instance().bearer("GET", "/_medley/state?service=face");
      expect(text.split("\n").some((line) => line.includes('"face_detected"'))).toBe(false);
    });
  },
  { services: ["face"] },
);
