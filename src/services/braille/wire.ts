/** Request and response shapes. */
import { type TSchema, Type } from "@sinclair/typebox";
import { described } from "#kernel/shape";

/** In UTF-16 code units: 100,000 characters even if all are emoji. */
const TEXT_LENGTH_MAX = 200_000;

const options = {
  text: Type.String({
    minLength: 1,
    maxLength: TEXT_LENGTH_MAX,
    description: "The text to translate.",
    examples: ["Fun Translations has something for everyone."],
  }),
  table: Type.Optional(
    Type.String({
      maxLength: 64,
      description: "A braille table by its name; see /tables. Default: en-ueb-g2.",
      examples: ["en-ueb-g2"],
    }),
  ),
  language: Type.Optional(
    Type.String({
      maxLength: 35,
      description: "Instead of a table: a language tag such as `de` or `en-US`.",
      examples: ["en-US"],
    }),
  ),
  grade: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 3,
      description: "With or without a language: 0 computer braille, 1 uncontracted, 2 and 3 contracted.",
      examples: [2],
    }),
  ),
  direction: Type.Union([Type.Literal("forward"), Type.Literal("back")], {
    default: "forward",
    description: "`back` reads the text as braille in the notation of this path, and answers what it says.",
  }),
  width: Type.Integer({
    minimum: 0,
    maximum: 1000,
    default: 32,
    description: "Cells in a line; 0: lines are not wrapped.",
  }),
  indent: Type.Integer({
    minimum: 0,
    maximum: 20,
    default: 2,
    description: "Blank cells before a paragraph, that is, before each line of the text.",
  }),
  callback: Type.String({
    pattern: "^[A-Za-z_$][\\w$]*(\\.[A-Za-z_$][\\w$]*)*$",
    maxLength: 64,
    default: "callback",
    description: "With `Accept: application/javascript`: the function that the answer calls.",
  }),
};

export const TranslateRequest = Type.Object(options);

const translation = Type.Object({
  source: Type.String({
    description: "The language, or the braille form when translating back.",
    examples: ["english"],
  }),
  destination: Type.String({
    description: "The braille form, or the language when translating back.",
    examples: ["braille"],
  }),
});
const success = Type.Object(
  { total: Type.Integer({ description: "How many answers there are.", examples: [1] }) },
  { description: "That it worked." },
);
const answerWith = <S extends TSchema>(translated: S, example: unknown) =>
  Type.Object({
    success,
    contents: Type.Object(
      {
        translated: described(translated, "What it is in the other form.", example),
        text: Type.String({ description: "What was given.", examples: ["hello"] }),
        translation: described(translation, "From what to what."),
      },
      { description: "The translation." },
    ),
  });

export const TextAnswer = answerWith(Type.String(), "⠓⠑⠇⠇⠕");
/** Cells, or text for back-translation. */
export const CellsAnswer = answerWith(Type.Union([Type.Array(Type.String()), Type.String()]), [
  "125",
  "15",
  "123",
  "123",
  "135",
]);

export const Table = Type.Object({
  name: Type.String({ description: "The table's name.", examples: ["en-ueb-g2"] }),
  title: Type.String({ description: "What people call it.", examples: ["Unified English Braille, grade 2"] }),
  language: Type.String({ description: "Its language tag.", examples: ["en"] }),
  language_name: Type.String({ description: "The language, for people.", examples: ["English"] }),
  grade: Type.Integer({ description: "How much is contracted.", examples: [2] }),
  dots: Type.Integer({ description: "Dots of a cell: 6 or 8.", examples: [6] }),
  engine: Type.String({
    description: "What translates with this table, and its version.",
    examples: ["liblouis 3.33.0"],
  }),
  default: Type.Boolean({ description: "Whether it is taken when none is named." }),
});
export const TableList = Type.Object({
  success,
  contents: Type.Object(
    { tables: Type.Array(Table, { description: "Each with what it is for." }) },
    { description: "The braille tables." },
  ),
});

export const PictureFile = Type.Object({
  file: Type.String({
    description: "Two hexadecimal digits, the low byte of the cell in Unicode, and .gif, .png or .svg.",
    examples: ["0b.gif"],
  }),
});
