/** The viewer's script: draws what the interface answers. */
import { askingScript, pageKeyIn } from "#kernel/html";

/** How long the ids of faces on this page last. */
const FACE_SECONDS = 600;
/** From here on two faces count as the same person. */
const SAME_FROM = 0.5;
/** As many are compared with each other. */
const PICTURES_MAX = 30;
/** A larger file is refused while it is still being sent, which a browser takes for a server that is away. */
const FILE_BYTES_MAX = 6 * 1024 * 1024;
/** Larger pictures are shown smaller. */
const SHOWN_PIXELS = 1600;

export const VIEWER_KEY = pageKeyIn("vendor-subscription-key");
export const SCRIPT = askingScript(
  VIEWER_KEY,
  String.raw`
  const [form, group, drop, chooser] = ["asking", "group", "drop", "pictures"].map(by);
  const base = location.pathname.replace(/\/viewer\/?$/, "");
  const percent = (confidence) => confidence.toFixed(2);

  /** Pictures in the order they were dropped, each with its faces. */
  const pictures = [];
  const chosen = () => {
    const [kind, id, model] = group.value.split("/");
    return kind ? { kind, id, model } : { model: "recognition_04" };
  };

  const loadGroups = async () => {
    const before = group.value;
    const options = [element("option", { value: "" }, "no group")];
    for (const [path, idName, words] of [["persongroups", "personGroupId", "person group"], ["largepersongroups", "largePersonGroupId", "large person group"]])
      for (const one of await ask("GET", base + "/" + path + "?returnRecognitionModel=true"))
        options.push(element("option", { value: path + "/" + one[idName] + "/" + one.recognitionModel }, one.name + " (" + words + " " + one[idName] + ")"));
    group.replaceChildren(...options);
    group.value = before;
    if (group.selectedIndex < 0) group.selectedIndex = 0;
    say(options.length === 1 ? "This account has no groups." : "Groups are listed.");
  };

  const look = async (picture) => {
    if (picture.file.size > ${FILE_BYTES_MAX}) throw new Error("Pictures have 6 MB at most.");
    const { model } = chosen();
    const query = "?returnFaceLandmarks=true&returnFaceAttributes=headPose,blur,exposure&detectionModel=detection_01&recognitionModel=" + model + "&faceIdTimeToLive=${FACE_SECONDS}";
    picture.faces = await ask("POST", base + "/detect" + query, picture.file);
    picture.seenAtMs = Date.now();
    picture.shown ??= await reduced(picture.file);
  };
  /** The server has refused by then what would be too large to hold. */
  const reduced = async (file) => {
    const bitmap = await createImageBitmap(file);
    const scale = Math.min(1, ${SHOWN_PIXELS} / Math.max(bitmap.width, bitmap.height));
    const canvas = element("canvas", { width: Math.max(1, Math.round(bitmap.width * scale)), height: Math.max(1, Math.round(bitmap.height * scale)) });
    canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    bitmap.close();
    return { canvas, scale };
  };
  const nearestPersons = async (faces) => {
    const { kind, id } = chosen();
    if (!kind || faces.length === 0) return;
    const names = new Map();
    for (let first = 0; first < faces.length; first += 10) {
      const some = faces.slice(first, first + 10);
      const results = await ask("POST", base + "/identify", {
        faceIds: some.map((face) => face.faceId), maxNumOfCandidatesReturned: 5, confidenceThreshold: 0,
        [kind === "persongroups" ? "personGroupId" : "largePersonGroupId"]: id,
      });
      for (const [index, { candidates }] of results.entries()) {
        for (const { personId } of candidates)
          if (!names.has(personId)) names.set(personId, (await ask("GET", base + "/" + kind + "/" + id + "/persons/" + personId)).name || personId);
        some[index].persons = candidates.map(({ personId, confidence }) => ({ name: names.get(personId), confidence }));
      }
    }
  };
  const matches = async (faces) => {
    for (const face of faces) {
      const faceIds = faces.filter((other) => other !== face).map((other) => other.faceId);
      face.similar = faceIds.length === 0 ? [] : await ask("POST", base + "/findsimilars", { faceId: face.faceId, faceIds, mode: "matchFace", maxNumOfCandidatesReturned: 1 });
    }
  };

  const draw = ({ shown, faces }) => {
    const { width: across, height: down } = shown.canvas;
    const canvas = element("canvas", { width: across, height: down });
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", faces.length === 1 ? "The picture with one face marked." : "The picture with " + faces.length + " faces marked.");
    const pen = canvas.getContext("2d");
    pen.drawImage(shown.canvas, 0, 0);
    // What follows is in pixels of the picture itself.
    pen.scale(shown.scale, shown.scale);
    const unit = Math.max(1, across / 500) / shown.scale;
    for (const { number, faceRectangle: { left, top, width, height }, faceLandmarks } of faces) {
      pen.lineWidth = 2 * unit;
      pen.strokeStyle = "#37d39b";
      pen.strokeRect(left, top, width, height);
      pen.fillStyle = "#ffd24d";
      for (const { x, y } of Object.values(faceLandmarks || {})) {
        pen.beginPath();
        pen.arc(x, y, 1.3 * unit, 0, 7);
        pen.fill();
      }
      pen.font = "600 " + 13 * unit + "px system-ui, sans-serif";
      const label = "Face " + number;
      const labelTop = Math.max(0, top - 18 * unit);
      pen.fillStyle = "#0b3b2a";
      pen.fillRect(left - unit, labelTop, pen.measureText(label).width + 8 * unit, 18 * unit);
      pen.fillStyle = "#ffffff";
      pen.fillText(label, left + 3 * unit, labelTop + 13.5 * unit);
    }
    return canvas;
  };
  const head = (...names) => element("thead", {}, element("tr", {}, ...names.map((name) => element("th", { scope: "col" }, name))));
  const confident = (text, confidence) => element("div", { className: confidence >= ${SAME_FROM} ? "near same" : "near" }, text);
  const COLUMNS = ["Face", "Rectangle", "Head", "Picture", "Nearest persons"];
  const told = (column, ...content) => {
    const made = element("td", {}, ...content);
    made.dataset.label = column;
    return made;
  };
  const rowOf = ({ number, faceRectangle: { left, top, width, height }, faceAttributes = {}, persons }) => {
    const { headPose, blur, exposure } = faceAttributes;
    const degrees = (name) => name + " " + Math.round(headPose[name]) + "°";
    const turned = headPose ? ["yaw", "pitch", "roll"].map(degrees).join(", ") : "";
    const looks = [blur && "blur " + blur.blurLevel, exposure && exposure.exposureLevel.replace("Exposure", " exposure")].filter(Boolean).join(", ").toLowerCase();
    const near = !persons ? ["no group chosen"] : persons.length === 0 ? ["nobody"] : persons.map(({ name, confidence }) => confident(name + " " + percent(confidence), confidence));
    return element("tr", {}, element("th", { scope: "row" }, "Face " + number), told("Rectangle", width + " × " + height + " at " + left + ", " + top),
      told("Head", turned), told("Picture", looks), told("Nearest persons", ...near));
  };
  const show = () => {
    const faces = pictures.flatMap((picture) => picture.faces);
    by("shown").replaceChildren(...pictures.map((picture) => {
      const table = element("table", { className: "faces" }, head(...COLUMNS), element("tbody", {}, ...picture.faces.map(rowOf)));
      const what = picture.faces.length === 0 ? "no face" : picture.faces.length === 1 ? "one face" : picture.faces.length + " faces";
      return element("figure", { className: "card picture" }, draw(picture),
        element("figcaption", {}, picture.file.name + ": " + what), ...(picture.faces.length ? [table] : []));
    }));
    const numberOf = new Map(faces.map(({ faceId, number }) => [faceId, number]));
    by("match-rows").replaceChildren(...faces.map(({ number, similar }) => {
      const [best] = similar || [];
      return element("tr", {}, element("th", { scope: "row" }, "Face " + number), element("td", {}, best ? "Face " + numberOf.get(best.faceId) : "none"),
        element("td", {}, best ? confident(percent(best.confidence) + (best.confidence >= ${SAME_FROM} ? ", the same person" : ""), best.confidence) : ""));
    }));
    by("matches").hidden = faces.length < 2;
    by("looked-at").hidden = pictures.length === 0;
  };

  /** One thing after the other, in the order they were asked for. */
  let last = Promise.resolve();
  const inTurn = (work) => {
    last = last.then(work).catch((error) => say(problemOf(error)));
    return last;
  };
  /** What another key was shown is not for this one. */
  const forget = () => {
    pictures.length = 0;
    group.replaceChildren(element("option", { value: "" }, "no group"));
    show();
    say("Nothing has been looked at yet.");
  };
  /** Ids of faces are gone after a while; those pictures are looked at again. */
  const isOutdated = ({ seenAtMs }) => Date.now() - seenAtMs > ${FACE_SECONDS} * 900;
  const lookAt = async (added) => {
    const problems = [];
    for (const picture of new Set([...pictures.filter(isOutdated), ...added])) {
      say("Looking at " + picture.file.name + " …");
      try {
        await look(picture);
        if (!pictures.includes(picture)) pictures.push(picture);
      } catch (error) {
        if (pictures.includes(picture)) throw error;
        problems.push(picture.file.name + ": " + problemOf(error));
      }
    }
    const faces = pictures.flatMap((picture) => picture.faces);
    for (const [index, face] of faces.entries()) face.number = index + 1;
    try {
      await matches(faces);
      await nearestPersons(faces);
      say([faces.length === 1 ? "One face." : faces.length + " faces.", ...problems].join(" "));
    } finally {
      show();
    }
  };
  const take = (files) => {
    if (!credential.reportValidity()) return;
    // Copied at once: the chooser's list is emptied as soon as this returns.
    const added = [...files].map((file) => ({ file, faces: [] }));
    inTurn(() => {
      if (pictures.length + added.length > ${PICTURES_MAX}) throw new Error("There is room for ${PICTURES_MAX} pictures.");
      return lookAt(added);
    });
  };

  form.addEventListener("submit", (event) => { event.preventDefault(); inTurn(loadGroups); });
  credential.addEventListener("change", () => inTurn(forget));
  group.addEventListener("change", () => inTurn(() => lookAt([...pictures])));
  chooser.addEventListener("change", () => { take(chooser.files); chooser.value = ""; });
  for (const name of ["dragenter", "dragover"])
    drop.addEventListener(name, (event) => { event.preventDefault(); drop.classList.add("over"); });
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    take(event.dataTransfer.files);
  });
  whenSignedIn(() => inTurn(loadGroups));
`,
);
