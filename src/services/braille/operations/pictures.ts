/**
 * Pictures of single cells, which the image form refers to. They are public, because browsers send no key
 * with images.
 */
import { answer, anyone, media, operationsFor } from "#kernel/operation";
import { errors } from "../errors.ts";
import { runTask } from "../translator/index.ts";
import * as wire from "../wire.ts";
import { askerOf } from "./asker.ts";

const PICTURE_FILE = /^([0-9a-f]{2})\.(gif|png|svg)$/;
const mediaTypes = { gif: "image/gif", png: "image/png", svg: "image/svg+xml" } as const;

/** Cache of rendered cells: at most 256 cells in three formats. */
const drawn = new Map<string, Uint8Array>();

export const getCellPicture = operationsFor<unknown>()({
  id: "braille.pictures.get",
  summary: "Returns the picture of a braille cell",
  description:
    "Names are two hexadecimal digits of the cell and `.gif`, `.png` or `.svg`. May be cached for a year.",
  method: "GET",
  path: "/img/char/{file}",
  permission: anyone,
  params: wire.PictureFile,
  answers: { 200: media("image/gif", "image/png", "image/svg+xml") },
  errors: [errors.pictureNotFound, errors.untranslatable],
  async handle({ params: { file } }, context) {
    const [, code, extension] = PICTURE_FILE.exec(file) ?? [];
    if (code === undefined) throw errors.pictureNotFound("There is no such picture of a braille cell.");
    const output = extension as keyof typeof mediaTypes;
    const task = { kind: "drawCell", cell: Number.parseInt(code, 16), output } as const;
    const picture = drawn.get(file) ?? (await runTask(task, askerOf(context))).bytes;
    drawn.set(file, picture);
    return answer(200, picture, {
      "content-type": mediaTypes[output],
      "cache-control": "public, max-age=31536000, immutable",
    });
  },
});
