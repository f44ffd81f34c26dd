/** Errors of this service beyond kernel errors. The error body shows the status as its code. */
import { defineErrors } from "#kernel/operation";

export const errors = defineErrors({
  unknownTable: ["UnknownTable", 400],
  notBraille: ["NotBraille", 400],
  pictureTooLarge: ["PictureTooLarge", 413],
  untranslatable: ["Untranslatable", 422],
  pictureNotFound: ["PictureNotFound", 404],
});
