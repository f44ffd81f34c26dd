/** Face recognition with its public client, as its users run it, in both spellings of the key's header. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { FaceClient, type FaceModels } from "@azure/cognitiveservices-face";
import { ApiKeyCredentials } from "@azure/ms-rest-js";
import createNewestClient, { getLongRunningPoller, isUnexpected } from "@azure-rest/ai-vision-face";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pause } from "../support/eventually.ts";
import { scopeOf } from "../support/face.ts";
import { portraitInGroup } from "../support/face-pictures.ts";
import { type AccountName, accounts, type Instance, startInstance } from "../support/medley.ts";

const OPERATIONS = 63;
const GONE = "00000000-0000-4000-8000-000000000000";

let instance: Instance;
let pictures: { readonly ann: Buffer; readonly annAgain: Buffer; readonly ben: Buffer };
let album: Server;
let albumUrl: string;
beforeAll(async () => {
  instance = await startInstance({ services: ["face"] });
  const [ann, annAgain, ben] = await Promise.all([
    portraitInGroup("middle"),
    portraitInGroup("middle", { isAnother: true }),
    portraitInGroup("right"),
  ]);
  pictures = { ann, annAgain, ben };
  album = createServer(({ url }, response) => response.end(url?.includes("ben") ? ben : ann));
  await new Promise<void>((resolve) => album.listen(0, "127.0.0.1", resolve));
  albumUrl = `http://127.0.0.1:${(album.address() as AddressInfo).port}/ann.jpg`;
}, 120_000);
afterAll(async () => {
  await instance.stop();
  await new Promise((resolve) => album.close(resolve));
});

function clientOf(header: string, account: AccountName = "first"): FaceClient {
  const credentials = new ApiKeyCredentials({ inHeader: { [header]: accounts[account].apiKeys[0] } });
  const client = new FaceClient(credentials, instance.url);
  // A path in the endpoint would swallow the interface's own.
  (client as unknown as { baseUri: string }).baseUri = `${instance.url}/face/v1.0`;
  return client;
}

/** Trains, and waits for the end. */
async function trained(
  group: {
    train(id: string): Promise<unknown>;
    getTrainingStatus(id: string): Promise<FaceModels.TrainingStatus>;
  },
  id: string,
): Promise<FaceModels.TrainingStatus> {
  await group.train(id);
  for (;;) {
    const training = await group.getTrainingStatus(id);
    if (training.status !== "nonstarted" && training.status !== "running") return training;
    await pause(20);
  }
}
async function ended(client: FaceClient, location: string | undefined): Promise<FaceModels.OperationStatus> {
  const [, , operationId = ""] = location?.split("/") ?? [];
  for (;;) {
    const operation = await client.snapshot.getOperationStatus(operationId);
    if (operation.status !== "notstarted" && operation.status !== "running") return operation;
    await pause(20);
  }
}

/** Made in the first spelling, and known in the other as well: looking at a picture takes its time. */
const faceIds: Record<"ann" | "annAgain" | "ben", string> = { ann: "", annAgain: "", ben: "" };

const [MAKERS, NEUTRAL] = ["Ocp-Apim-Subscription-Key", "Vendor-Subscription-Key"];
describe.each([MAKERS, NEUTRAL])("the client with %s", (header) => {
  const isFirst = header === MAKERS;
  let client: FaceClient;
  beforeAll(() => {
    client = clientOf(header);
  });

  it("detects faces, and says who is who among them", async () => {
    const [byUrl] = await client.face.detectWithUrl(albumUrl, {
      returnFaceLandmarks: true,
      returnFaceAttributes: ["headPose", "blur"],
      recognitionModel: "recognition_04",
      detectionModel: "detection_01",
      returnRecognitionModel: true,
      faceIdTimeToLive: 600,
    });
    expect(byUrl).toMatchObject({ recognitionModel: "recognition_04", faceId: expect.any(String) });
    expect(Object.keys(byUrl?.faceLandmarks ?? {})).toHaveLength(27);
    expect(byUrl?.faceAttributes?.headPose?.roll).toEqual(expect.any(Number));
    for (const name of isFirst ? (["ann", "annAgain", "ben"] as const) : []) {
      const found = await client.face.detectWithStream(pictures[name], {
        recognitionModel: "recognition_04",
        detectionModel: "detection_03",
      });
      expect(found).toHaveLength(1);
      faceIds[name] = found[0]?.faceId ?? "";
    }
    const { ann, annAgain, ben } = faceIds;
    expect(await client.face.verifyFaceToFace(ann, annAgain)).toMatchObject({ isIdentical: true });
    expect(await client.face.verifyFaceToFace(ann, ben)).toMatchObject({ isIdentical: false });
    const similar = await client.face.findSimilar(annAgain, { faceIds: [ann, ben] });
    expect(similar.map(({ faceId }) => faceId)).toEqual([ann]);
    const { groups, messyGroup } = await client.face.group([ann, annAgain, ben]);
    expect([groups.map((group) => group.toSorted()), messyGroup]).toEqual([
      [[ann, annAgain].toSorted()],
      [ben],
    ]);
  }, 120_000);

  it("keeps faces in lists, and finds similar ones there", async () => {
    const model = { recognitionModel: "recognition_04" as const };
    await client.faceList.create("visitors", "Visitors", { ...model, userData: "door" });
    const added = await client.faceList.addFaceFromStream("visitors", pictures.ann, {
      userData: "Monday",
      targetFace: [45, 55, 85, 110],
      detectionModel: "detection_03",
    });
    const [match] = await client.face.findSimilar(faceIds.annAgain, { faceListId: "visitors" });
    expect(match?.persistedFaceId).toBe(added.persistedFaceId);
    expect(await client.faceList.get("visitors", { returnRecognitionModel: true })).toMatchObject({
      ...model,
      faceListId: "visitors",
      userData: "door",
      persistedFaces: [{ persistedFaceId: added.persistedFaceId, userData: "Monday" }],
    });
    await client.faceList.update("visitors", { name: "Guests" });
    expect((await client.faceList.list()).map(({ name }) => name)).toEqual(["Guests"]);
    await client.faceList.deleteFace("visitors", added.persistedFaceId);
    if (isFirst) await client.faceList.addFaceFromUrl("visitors", albumUrl);
    expect((await client.faceList.get("visitors")).persistedFaces).toHaveLength(isFirst ? 1 : 0);
    await client.faceList.deleteMethod("visitors");

    await client.largeFaceList.create("crowd", "Crowd", model);
    const one = await client.largeFaceList.addFaceFromStream("crowd", pictures.ben);
    const other = isFirst ? [await client.largeFaceList.addFaceFromUrl("crowd", albumUrl)] : [];
    expect((await trained(client.largeFaceList, "crowd")).status).toBe("succeeded");
    const found = await client.face.findSimilar(faceIds.ben, {
      largeFaceListId: "crowd",
      mode: "matchFace",
      maxNumOfCandidatesReturned: 2,
    });
    expect(found.map(({ persistedFaceId }) => persistedFaceId)).toEqual(
      [one, ...other].map(({ persistedFaceId }) => persistedFaceId),
    );
    await client.largeFaceList.updateFace("crowd", one.persistedFaceId, { userData: "Ben" });
    expect((await client.largeFaceList.getFace("crowd", one.persistedFaceId)).userData).toBe("Ben");
    await client.largeFaceList.deleteFace("crowd", one.persistedFaceId);
    expect(await client.largeFaceList.listFaces("crowd", { top: 10 })).toHaveLength(other.length);
    await client.largeFaceList.update("crowd", { userData: "changed" });
    expect((await client.largeFaceList.get("crowd")).userData).toBe("changed");
    expect((await client.largeFaceList.list({ start: "a", top: 5 })).length).toBe(1);
    await client.largeFaceList.deleteMethod("crowd");
  }, 120_000);

  it.each(["personGroup", "largePersonGroup"] as const)(
    "identifies the persons of a %s",
    async (kind) => {
      const isLarge = kind === "largePersonGroup";
      const group = client[kind];
      const person = isLarge ? client.largePersonGroupPerson : client.personGroupPerson;
      const named = isLarge ? { largePersonGroupId: "office" } : { personGroupId: "office" };
      await group.create("office", "Office", { recognitionModel: "recognition_04", userData: "floor 3" });
      const ann = await person.create("office", { name: "Ann", userData: "3-07" });
      const ben = await person.create("office", { name: "Ben" });
      const face = await person.addFaceFromStream("office", ann.personId, pictures.ann, {
        userData: "badge",
      });
      if (isFirst) await person.addFaceFromUrl("office", ben.personId, `${albumUrl}?of=ben`);
      expect((await trained(group, "office")).status).toBe("succeeded");
      const [result] = await client.face.identify([faceIds.annAgain], {
        ...named,
        maxNumOfCandidatesReturned: 2,
        confidenceThreshold: 0.5,
      });
      expect(result?.candidates.map(({ personId }) => personId)).toEqual([ann.personId]);
      const sure = await client.face.verifyFaceToPerson(faceIds.annAgain, ann.personId, named);
      expect(sure).toMatchObject({ isIdentical: true, confidence: result?.candidates[0]?.confidence });

      await person.updateFace("office", ann.personId, face.persistedFaceId, { userData: "new badge" });
      expect((await person.getFace("office", ann.personId, face.persistedFaceId)).userData).toBe("new badge");
      await person.deleteFace("office", ann.personId, face.persistedFaceId);
      await person.update("office", ann.personId, { name: "Anna" });
      expect(await person.get("office", ann.personId)).toMatchObject({
        name: "Anna",
        userData: "3-07",
        persistedFaceIds: [],
      });
      expect((await person.list("office", { top: 1 })).length).toBe(1);
      await person.deleteMethod("office", ben.personId);
      await group.update("office", { name: "Head office" });
      const shown = await group.get("office", { returnRecognitionModel: true });
      expect(shown).toMatchObject({ name: "Head office", recognitionModel: "recognition_04" });
      expect((await group.list({ start: "a", top: 10 })).length).toBe(1);
      await expect(person.get("office", GONE)).rejects.toMatchObject({
        statusCode: 404,
        body: { error: { code: "PersonNotFound" } },
      });
      if (isLarge) await group.deleteMethod("office");
    },
    120_000,
  );

  it("hands a group over to another account by a snapshot", async () => {
    const taken = await client.snapshot.take("PersonGroup", "office", [scopeOf("second")], {
      userData: "moving",
    });
    const { status, resourceLocation = "" } = await ended(client, taken.operationLocation);
    expect(status).toBe("succeeded");
    const [, , id = ""] = resourceLocation.split("/");
    await client.snapshot.update(id, { userData: "moved" });
    const other = clientOf(header, "second");
    expect(await other.snapshot.get(id)).toMatchObject({ id, type: "PersonGroup", userData: "moved" });
    expect((await other.snapshot.list({ type: "PersonGroup" })).length).toBe(1);
    const applied = await other.snapshot.apply(id, "branch");
    expect(await ended(other, applied.operationLocation)).toMatchObject({
      status: "succeeded",
      resourceLocation: "/persongroups/branch",
    });
    expect((await other.personGroup.getTrainingStatus("branch")).status).toBe("succeeded");
    expect((await other.personGroupPerson.list("branch")).map(({ name }) => name)).toEqual(["Anna"]);
    await client.snapshot.deleteMethod(id);
    await other.personGroup.deleteMethod("branch");
    await client.personGroup.deleteMethod("office");
  });

  it("has reached every operation", async () => {
    const { body } = await instance.bearer("GET", "/_medley/requests?service=face&limit=1000");
    const reached = body.requests.filter(({ request }: { request: { headers: object } }) =>
      Object.keys(request.headers).some((name) => name.toLowerCase() === header.toLowerCase()),
    );
    const names = new Set(reached.map(({ operation }: { operation: string }) => operation));
    expect(names.size).toBe(OPERATIONS);
  });
});

/** As the maker's JavaScript quickstart goes: only faces of enough quality are added, and their words are compared. */
it("the newest client identifies people, as its quickstart does", async () => {
  const client = createNewestClient(
    instance.url,
    { key: accounts.first.apiKeys[0]! },
    { allowInsecureConnection: true },
  );
  const largePersonGroupId = "quickstart";
  const group = () => client.path("/largepersongroups/{largePersonGroupId}", largePersonGroupId);
  const body = { name: largePersonGroupId, recognitionModel: "recognition_04" as const };
  expect((await group().put({ body })).status).toBe("200");
  const detect = async (picture: Buffer) => {
    const detected = await client.path("/detect").post({
      contentType: "application/octet-stream",
      queryParameters: {
        detectionModel: "detection_01",
        recognitionModel: "recognition_04",
        returnFaceAttributes: ["qualityForRecognition", "blur", "exposure"],
      },
      body: picture,
    });
    if (isUnexpected(detected)) throw new Error(detected.body.error.message);
    return detected.body;
  };
  const persons = client.path("/largepersongroups/{largePersonGroupId}/persons", largePersonGroupId);
  const person = await persons.post({ body: { name: "Ann" } });
  if (isUnexpected(person)) throw new Error(person.body.error.message);
  const { personId } = person.body;
  const [portrait] = await detect(pictures.ann);
  expect(portrait?.faceAttributes).toMatchObject({
    qualityForRecognition: expect.stringMatching(/^(medium|high)$/),
    blur: { blurLevel: expect.stringMatching(/^(low|medium|high)$/) },
    exposure: { exposureLevel: "goodExposure" },
  });
  const faces = client.path(
    "/largepersongroups/{largePersonGroupId}/persons/{personId}/persistedfaces",
    largePersonGroupId,
    personId,
  );
  const added = await faces.post({ contentType: "application/octet-stream", body: pictures.ann });
  expect(added.status).toBe("200");
  const begun = await client.path("/largepersongroups/{largePersonGroupId}/train", largePersonGroupId).post();
  if (isUnexpected(begun)) throw new Error(begun.body.error.message);
  const poller = await getLongRunningPoller(client, begun, { intervalInMs: 20 });
  await poller.pollUntilDone();
  expect(poller.getOperationState().status).toBe("succeeded");
  const [seen] = await detect(pictures.annAgain);
  const identified = await client
    .path("/identify")
    .post({ body: { faceIds: [seen?.faceId ?? ""], largePersonGroupId } });
  if (isUnexpected(identified)) throw new Error(identified.body.error.message);
  expect(identified.body[0]?.candidates).toMatchObject([{ personId }]);
  const verified = await client
    .path("/verify")
    .post({ body: { faceId: seen?.faceId ?? "", largePersonGroupId, personId } });
  expect(verified.body).toMatchObject({ isIdentical: true });
  expect((await group().delete()).status).toBe("200");
}, 120_000);
