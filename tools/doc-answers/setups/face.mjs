/** What needs the ids of faces that were just found, and snapshots with the work that makes them. */
const MOUNT = "/face/v1.0";
const GROUP = "demo-family";
const POLLS_MAX = 50;
const PAUSE_MS = 200;

export async function recordFace({ call, account }) {
  const detect = async () => {
    const asked = `${MOUNT}/detect?returnFaceId=true&recognitionModel=recognition_04`;
    const { body } = await call("face.detect", asked, { url: "https://example.org/portrait.png" });
    return body[0].faceId;
  };
  const faceIds = [await detect(), await detect()];
  const [faceId1, faceId2] = faceIds;
  await call("face.verify", `${MOUNT}/verify`, { faceId1, faceId2 });
  await call("face.findSimilar", `${MOUNT}/findsimilars`, { faceId: faceId1, faceIds: [faceId2] });
  await call("face.group", `${MOUNT}/group`, { faceIds });
  await call("face.identify", `${MOUNT}/identify`, { faceIds: [faceId1], personGroupId: GROUP });
  const taken = {
    type: "PersonGroup",
    objectId: GROUP,
    applyScope: [`00000000-0000-0000-0000-${account.id}`],
  };
  const { addresses } = await call("face.snapshots.take", `${MOUNT}/snapshots`, taken);
  const done = async (address) => {
    for (let polls = 0; polls < POLLS_MAX; polls += 1) {
      const path = new URL(address, "http://localhost").pathname.replace(/^.*(?=\/operations\/)/, MOUNT);
      const { body } = await call("face.operations.get", path);
      if (body.status === "succeeded") return body.resourceLocation;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    throw new Error("The snapshot is not ready.");
  };
  const path = MOUNT + (await done(addresses[0])).replace(/^.*(?=\/snapshots\/)/, "");
  await call("face.snapshots.get", path);
  await call("face.snapshots.update", path, { userData: "Before the holidays" });
  await call("face.snapshots.apply", `${path}/apply`, { objectId: "family-copy" });
  await call("face.snapshots.delete", path);
}
