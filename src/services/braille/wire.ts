/** Shapes exactly as clients spell them. */
import { type TSchema, Type } from "@sinclair/typebox";

/** In UTF-16 units: 100,000 characters even if all of them are emoji. */
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
  source: Type.String({ description: "The language, or the braille form when translating back." }),
  destination: Type.String(),
});
const answerWith = <S extends TSchema>(translated: S) =>
  Type.Object({
    success: Type.Object({ total: Type.Integer() }),
    contents: Type.Object({ translated, text: Type.String(), translation }),
  });

export const TextAnswer = answerWith(Type.String());
/** Cells, or text when translating back. */
export const CellsAnswer = answerWith(Type.Union([Type.Array(Type.String()), Type.String()]));

export const Table = Type.Object({
  name: Type.String(),
  title: Type.String(),
  language: Type.String(),
  language_name: Type.String(),
  grade: Type.Integer(),
  dots: Type.Integer(),
  engine: Type.String({ description: "What translates with this table, and its version." }),
  default: Type.Boolean(),
});
export const TableList = Type.Object({
  success: Type.Object({ total: Type.Integer() }),
  contents: Type.Object({ tables: Type.Array(Table) }),
});

export const PictureFile = Type.Object({
  file: Type.String({
    description: "Two hexadecimal digits, the low byte of the cell in Unicode, and .gif, .png or .svg.",
    examples: ["0b.gif"],
  }),
});
