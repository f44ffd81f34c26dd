/** Faces in pictures: asks the interface about dropped pictures, and shows what it answers. */
import { ask, credential, whenSignedIn } from "./parts/asking.ts";
import { type Face, type Picture, reduced, showMatches, showPictures } from "./parts/faces.ts";
import { by, element, inputBy, onFiles, onSubmit, problemOf, say, selectBy, taker } from "./parts/page.ts";

type Group = { readonly name: string; readonly recognitionModel: string } & Readonly<Record<string, string>>;
type Candidate = { readonly personId: string; readonly confidence: number };

/** How long the ids of faces on this page last. */
const FACE_SECONDS = 600;
/** Ids are renewed when a tenth of their time is left. */
const RENEWED_AFTER_MS = FACE_SECONDS * 900;
/** As many are compared with each other. */
const PICTURES_MAX = 30;
/** A larger file is refused while it is still being sent, which a browser takes for a server that is away. */
const FILE_BYTES_MAX = 6 * 1024 * 1024;
const IDENTIFIED_AT_ONCE = 10;
const KINDS = [
  ["persongroups", "personGroupId", "person group"],
  ["largepersongroups", "largePersonGroupId", "large person group"],
] as const;

const group = selectBy("group");
const base = location.pathname.replace(/\/viewer\/?$/, "");
const inTurn = taker();
/** Pictures in the order they were dropped, each with its faces. */
const pictures: Picture[] = [];
const facesOfAll = (): Face[] => pictures.flatMap((picture) => picture.faces);

function chosen(): { kind?: string; id?: string; model: string } {
  const [kind, id, model] = group.value.split("/");
  return kind && model ? { kind, id, model } : { model: "recognition_04" };
}
async function loadGroups(): Promise<void> {
  const before = group.value;
  const options = [element("option", { value: "" }, "no group")];
  for (const [path, idName, words] of KINDS)
    for (const one of await ask<Group[]>("GET", `${base}/${path}?returnRecognitionModel=true`)) {
      const value = `${path}/${one[idName]}/${one.recognitionModel}`;
      options.push(element("option", { value }, `${one.name} (${words} ${one[idName]})`));
    }
  group.replaceChildren(...options);
  group.value = before;
  if (group.selectedIndex < 0) group.selectedIndex = 0;
  say(options.length === 1 ? "This account has no groups." : "Groups are listed.");
}

async function look(picture: Picture): Promise<void> {
  if (picture.file.size > FILE_BYTES_MAX) throw new Error("Pictures have 6 MB at most.");
  const query = new URLSearchParams({
    returnFaceLandmarks: "true",
    returnFaceAttributes: "headPose,blur,exposure",
    detectionModel: "detection_01",
    recognitionModel: chosen().model,
    faceIdTimeToLive: String(FACE_SECONDS),
  });
  picture.faces = await ask<Face[]>("POST", `${base}/detect?${query}`, picture.file);
  picture.seenAtMs = Date.now();
  picture.shown ??= await reduced(picture.file);
}

/** Names of persons are read once each. */
async function findPersons(faces: readonly Face[]): Promise<void> {
  const { kind, id } = chosen();
  if (!kind || faces.length === 0) return;
  const names = new Map<string, string>();
  const idName = kind === "persongroups" ? "personGroupId" : "largePersonGroupId";
  const nameOf = async (personId: string): Promise<string> => {
    const path = `${base}/${kind}/${id}/persons/${personId}`;
    const name = names.get(personId) ?? ((await ask<{ name?: string }>("GET", path)).name || personId);
    names.set(personId, name);
    return name;
  };
  for (let first = 0; first < faces.length; first += IDENTIFIED_AT_ONCE) {
    const some = faces.slice(first, first + IDENTIFIED_AT_ONCE);
    const results = await ask<{ candidates: Candidate[] }[]>("POST", `${base}/identify`, {
      faceIds: some.map((face) => face.faceId),
      maxNumOfCandidatesReturned: 5,
      confidenceThreshold: 0,
      [idName]: id,
    });
    for (const [index, face] of some.entries()) {
      face.persons = [];
      for (const { personId, confidence } of results[index]?.candidates ?? [])
        face.persons.push({ name: await nameOf(personId), confidence });
    }
  }
}
async function findMatches(faces: readonly Face[]): Promise<void> {
  for (const face of faces) {
    const faceIds = faces.filter((other) => other !== face).map((other) => other.faceId);
    const wanted = { faceId: face.faceId, faceIds, mode: "matchFace", maxNumOfCandidatesReturned: 1 };
    face.similar = faceIds.length === 0 ? [] : await ask("POST", `${base}/findsimilars`, wanted);
  }
}

function show(): void {
  showPictures(pictures);
  showMatches(facesOfAll());
  by("looked-at").hidden = pictures.length === 0;
}
/** What another key was shown is not for this one. */
function forget(): void {
  pictures.length = 0;
  group.replaceChildren(element("option", { value: "" }, "no group"));
  show();
  say("Nothing has been looked at yet.");
}
/** Ids of faces are gone after a while; those pictures are looked at again. */
const isOutdated = ({ seenAtMs }: Picture): boolean => Date.now() - seenAtMs > RENEWED_AFTER_MS;

async function lookAt(added: readonly Picture[]): Promise<void> {
  const problems: string[] = [];
  for (const picture of new Set([...pictures.filter(isOutdated), ...added])) {
    say(`Looking at ${picture.file.name} …`);
    try {
      await look(picture);
      if (!pictures.includes(picture)) pictures.push(picture);
    } catch (error) {
      if (pictures.includes(picture)) throw error;
      problems.push(`${picture.file.name}: ${problemOf(error)}`);
    }
  }
  const faces = facesOfAll();
  for (const [index, face] of faces.entries()) face.number = index + 1;
  try {
    await findMatches(faces);
    await findPersons(faces);
    say([faces.length === 1 ? "One face." : `${faces.length} faces.`, ...problems].join(" "));
  } finally {
    show();
  }
}
function take(files: readonly File[]): void {
  if (!credential.reportValidity()) return;
  const added = files.map((file): Picture => ({ file, faces: [], seenAtMs: 0, shown: undefined }));
  void inTurn(() => {
    if (pictures.length + added.length > PICTURES_MAX)
      throw new Error(`There is room for ${PICTURES_MAX} pictures.`);
    return lookAt(added);
  });
}

onSubmit(by("asking"), () => inTurn(loadGroups));
credential.addEventListener("change", () => inTurn(forget));
group.addEventListener("change", () => inTurn(() => lookAt([...pictures])));
onFiles(by("drop"), inputBy("pictures"), take);
void whenSignedIn(() => inTurn(loadGroups));
