/** What can go wrong besides what the kernel finds. The error body shows the status as its code. */
import { defineErrors } from "#kernel/operation";

export const errors = defineErrors({
  unknownTable: ["UnknownTable", 400],
  notBraille: ["NotBraille", 400],
  pictureTooLarge: ["PictureTooLarge", 413],
  untranslatable: ["Untranslatable", 422],
  pictureNotFound: ["PictureNotFound", 404],
});
