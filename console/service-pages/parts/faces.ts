/** Draws pictures with the faces in them, and the tables about these. */
import { by, element } from "./page.ts";

type Similar = { readonly faceId: string; readonly confidence: number };
type HeadPose = { readonly yaw: number; readonly pitch: number; readonly roll: number };
/** As `detect` answers it, and what is found out afterwards. */
export type Face = {
  readonly faceId: string;
  readonly faceRectangle: {
    readonly left: number;
    readonly top: number;
    readonly width: number;
    readonly height: number;
  };
  readonly faceLandmarks?: Readonly<Record<string, { readonly x: number; readonly y: number }>>;
  readonly faceAttributes?: {
    readonly headPose?: HeadPose;
    readonly blur?: { readonly blurLevel: string };
    readonly exposure?: { readonly exposureLevel: string };
  };
  number?: number;
  similar?: readonly Similar[];
  persons?: { readonly name: string; readonly confidence: number }[];
};
type Shown = { readonly canvas: HTMLCanvasElement; readonly scale: number };
export type Picture = { readonly file: File; faces: Face[]; seenAtMs: number; shown: Shown | undefined };

/** From here on two faces count as the same person. */
const SAME_FROM = 0.5;
/** Larger pictures are shown smaller. */
const SHOWN_PIXELS = 1600;

function penOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("This browser cannot draw.");
  return pen;
}

/** The server has refused by then what would be too large to hold. */
export async function reduced(file: File): Promise<Shown> {
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, SHOWN_PIXELS / Math.max(bitmap.width, bitmap.height));
  const width = Math.max(1, Math.round(bitmap.width * scale));
  const height = Math.max(1, Math.round(bitmap.height * scale));
  const canvas = element("canvas", { width, height });
  penOf(canvas).drawImage(bitmap, 0, 0, width, height);
  bitmap.close();
  return { canvas, scale };
}

function mark(pen: CanvasRenderingContext2D, unit: number, face: Face): void {
  const { left, top, width, height } = face.faceRectangle;
  pen.lineWidth = 2 * unit;
  pen.strokeStyle = "#37d39b";
  pen.strokeRect(left, top, width, height);
  pen.fillStyle = "#ffd24d";
  for (const { x, y } of Object.values(face.faceLandmarks ?? {})) {
    pen.beginPath();
    pen.arc(x, y, 1.3 * unit, 0, 7);
    pen.fill();
  }
  pen.font = `600 ${13 * unit}px system-ui, sans-serif`;
  const label = `Face ${face.number}`;
  const labelTop = Math.max(0, top - 18 * unit);
  pen.fillStyle = "#0b3b2a";
  pen.fillRect(left - unit, labelTop, pen.measureText(label).width + 8 * unit, 18 * unit);
  pen.fillStyle = "#ffffff";
  pen.fillText(label, left + 3 * unit, labelTop + 13.5 * unit);
}
function draw({ canvas: drawn, scale }: Shown, faces: readonly Face[]): HTMLCanvasElement {
  const canvas = element("canvas", { width: drawn.width, height: drawn.height });
  canvas.setAttribute("role", "img");
  const many = faces.length === 1 ? "one face" : `${faces.length} faces`;
  canvas.setAttribute("aria-label", `The picture with ${many} marked.`);
  const pen = penOf(canvas);
  pen.drawImage(drawn, 0, 0);
  // What follows is in pixels of the picture itself.
  pen.scale(scale, scale);
  const unit = Math.max(1, drawn.width / 500) / scale;
  for (const face of faces) mark(pen, unit, face);
  return canvas;
}

const percent = (confidence: number): string => confidence.toFixed(2);
const confident = (text: string, confidence: number): HTMLElement =>
  element("div", { className: confidence >= SAME_FROM ? "near same" : "near" }, text);
const COLUMNS = ["Face", "Rectangle", "Head", "Picture", "Nearest persons"];
const headOf = (names: readonly string[]): HTMLElement =>
  element("thead", {}, element("tr", {}, ...names.map((name) => element("th", { scope: "col" }, name))));

function cell(column: string, ...content: (Node | string)[]): HTMLElement {
  const made = element("td", {}, ...content);
  made.dataset.label = column;
  return made;
}
const poseOf = (pose: HeadPose): string =>
  (["yaw", "pitch", "roll"] as const).map((name) => `${name} ${Math.round(pose[name])}°`).join(", ");
function personsOf(persons: Face["persons"]): (Node | string)[] {
  if (!persons) return ["no group chosen"];
  if (persons.length === 0) return ["nobody"];
  return persons.map(({ name, confidence }) => confident(`${name} ${percent(confidence)}`, confidence));
}
function rowOf({ number, faceRectangle, faceAttributes = {}, persons }: Face): HTMLElement {
  const { left, top, width, height } = faceRectangle;
  const { headPose, blur, exposure } = faceAttributes;
  const looks = [
    blur && `blur ${blur.blurLevel}`,
    exposure?.exposureLevel.replace("Exposure", " exposure"),
  ].filter(Boolean);
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, `Face ${number}`),
    cell("Rectangle", `${width} × ${height} at ${left}, ${top}`),
    cell("Head", headPose ? poseOf(headPose) : ""),
    cell("Picture", looks.join(", ").toLowerCase()),
    cell("Nearest persons", ...personsOf(persons)),
  );
}
function countOf(faces: readonly Face[]): string {
  if (faces.length === 0) return "no face";
  return faces.length === 1 ? "one face" : `${faces.length} faces`;
}
function figureOf({ file, faces, shown }: Picture): HTMLElement {
  const rows = element("tbody", {}, ...faces.map(rowOf));
  return element(
    "figure",
    { className: "card picture" },
    ...(shown ? [draw(shown, faces)] : []),
    element("figcaption", {}, `${file.name}: ${countOf(faces)}`),
    ...(faces.length > 0 ? [element("table", { className: "faces" }, headOf(COLUMNS), rows)] : []),
  );
}
export const showPictures = (pictures: readonly Picture[]): void =>
  by("shown").replaceChildren(...pictures.map(figureOf));

/** Which other face each is most like. */
export function showMatches(faces: readonly Face[]): void {
  const numberOf = new Map(faces.map(({ faceId, number }) => [faceId, number]));
  const wordsOf = ({ confidence }: Similar): string =>
    percent(confidence) + (confidence >= SAME_FROM ? ", the same person" : "");
  const rows = faces.map(({ number, similar = [] }) => {
    const [best] = similar;
    return element(
      "tr",
      {},
      element("th", { scope: "row" }, `Face ${number}`),
      element("td", {}, best ? `Face ${numberOf.get(best.faceId)}` : "none"),
      element("td", {}, best ? confident(wordsOf(best), best.confidence) : ""),
    );
  });
  by("match-rows").replaceChildren(...rows);
  by("matches").hidden = faces.length < 2;
}
