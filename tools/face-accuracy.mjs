/**
 * `node tools/face-accuracy.mjs FOLDER [MODEL]` measures how often verification is right, end to end. FOLDER has a
 * folder for each person with photographs of that person alone. Each photograph is used as it is, at 250 pixels,
 * blurred, darkened, shrunk and compressed. The last lines compare thresholds.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { distanceBetween, thresholdOf } from "../dist/services/face/domain/confidence.js";
import { look } from "../dist/services/face/recognizer/look.js";

const [folder = ".", recognitionModel = "recognition_04"] = process.argv.slice(2);
const BYTES_MIN = 1100;
const within = (picture, side) => picture.resize(side, side, { fit: "inside", withoutEnlargement: true });
const small = async (bytes) => sharp(await within(sharp(bytes), 250).jpeg({ quality: 92 }).toBuffer());
const CHANGES = {
  whole: (bytes) => within(sharp(bytes), 1000).jpeg({ quality: 92 }),
  small: async (bytes) => (await small(bytes)).jpeg({ quality: 92 }),
  blurred: async (bytes) => (await small(bytes)).blur(2).jpeg({ quality: 90 }),
  darker: async (bytes) => (await small(bytes)).linear(0.2, 0).jpeg({ quality: 90 }),
  shrunk: (bytes) => within(sharp(bytes), 80).jpeg({ quality: 90 }),
  compressed: async (bytes) => (await small(bytes)).jpeg({ quality: 8 }),
};
const DEGRADED = ["blurred", "darker", "shrunk", "compressed"];

async function seen(bytes, change) {
  const made = await (await CHANGES[change](bytes)).toBuffer();
  // What follows the end of a JPEG is not looked at, but very short files are refused.
  const picture = Buffer.concat([made, Buffer.alloc(Math.max(0, BYTES_MIN - made.length))]);
  const { faces } = await look({ picture, detectionModel: "detection_03", recognitionModel });
  return faces[0]?.descriptor;
}
const rows = [];
for (const person of readdirSync(folder))
  for (const file of readdirSync(join(folder, person))) {
    const bytes = await within(sharp(join(folder, person, file)).rotate(), 1000)
      .jpeg()
      .toBuffer();
    for (const change of Object.keys(CHANGES))
      rows.push({ person, file, change, descriptor: await seen(bytes, change) });
  }

/** A face that was not found counts as a wrong pair. */
function distancesOf(pairsOfChanges) {
  const of = { one: [], two: [] };
  for (const [left, right] of pairsOfChanges)
    for (const a of rows)
      for (const b of rows) {
        if (a.change !== left || b.change !== right || (a.person === b.person && a.file === b.file)) continue;
        if (left === right && `${a.person}/${a.file}` > `${b.person}/${b.file}`) continue;
        const kind = a.person === b.person ? "one" : "two";
        const isFound = a.descriptor && b.descriptor;
        of[kind].push(isFound ? distanceBetween(a.descriptor, b.descriptor) : Number.NaN);
      }
  return of;
}
const wrongShare = (distances, isRight) =>
  distances.filter((distance) => !isRight(distance)).length / Math.max(1, distances.length);
const percent = (share) => `${(share * 100).toFixed(2)} %`;
/** Share of all pairs that are decided wrongly with this threshold. */
const wrongPairs = ({ one, two }, limit) =>
  (wrongShare(one, (d) => d < limit) * one.length + wrongShare(two, (d) => d >= limit) * two.length) /
  (one.length + two.length);
function report(name, pairs) {
  const { one, two } = pairs;
  const limit = thresholdOf(recognitionModel);
  const [refused, accepted] = [wrongShare(one, (d) => d < limit), wrongShare(two, (d) => d >= limit)];
  console.log(
    `${name}: ${one.length} pairs of one person, ${percent(refused)} refused; ${two.length} of two people, ` +
      `${percent(accepted)} accepted; mean of both right ${percent(1 - (refused + accepted) / 2)}; ` +
      `pairs right ${percent(1 - wrongPairs(pairs, limit))}`,
  );
}
console.log(`${rows.filter(({ descriptor }) => !descriptor).length} faces of ${rows.length} were not found`);
const original = distancesOf([
  ["whole", "whole"],
  ["small", "small"],
  ["whole", "small"],
]);
const degraded = distancesOf(
  DEGRADED.flatMap((change) => [
    [change, change],
    ["small", change],
  ]),
);
report("original", original);
report("degraded", degraded);
for (let limit = 0.53; limit < 0.625; limit += 0.005) {
  const [first, second] = [original, degraded].map((pairs) => wrongPairs(pairs, limit));
  console.log(
    `threshold ${limit.toFixed(3)}: wrong pairs ${percent(first)} of original, ${percent(second)} of degraded, ` +
      `sum ${percent(first + second)}`,
  );
}
