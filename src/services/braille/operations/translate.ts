/**
 * The five forms of braille, by GET as in the contract, and by POST for texts that are too long for a URL.
 */
import type { Static, TSchema } from "@sinclair/typebox";
import { isForThisMachineAlone, isLocalHost } from "#kernel/config";
import {
  answer,
  anyone,
  type Context,
  finishedJson,
  kernelErrors,
  type Operation,
  operationsFor,
} from "#kernel/operation";
import { preferredOf } from "#kernel/protocols";
import type { DocumentKind } from "../domain/document.ts";
import type { Form } from "../domain/notation.ts";
import { type BrailleTable, findTable } from "../domain/tables.ts";
import { errors } from "../errors.ts";
import { engineChoiceOf } from "../settings.ts";
import { type Engines, findEngines, runTask, TRANSLATION_SECONDS_MAX } from "../translator/index.ts";
import type { Task } from "../translator/tasks.ts";
import * as wire from "../wire.ts";
import { askerOf } from "./asker.ts";

const operation = operationsFor<unknown>();

type Spec = {
  readonly name: string;
  readonly path: string;
  readonly form: Form;
  readonly summary: string;
  readonly description: string;
  readonly shape: TSchema;
  readonly example: unknown;
};

/** 100,000 characters of three bytes each, percent-encoded, plus options. */
const URL_BYTES_MAX = 100_000 * 9 + 4096;
const BODY_BYTES_MAX = 2 * 1024 * 1024;
/** Any website can call this, so the cost of a text is limited. */
const LENGTH_WITHOUT_KEY_MAX = 10_000;

/** Engine and version that translated, because braille codes and tables are revised. */
const ENGINE_HEADER = "x-braille-engine";

/** Media types for `Accept`. The first is the default. */
const documents = {
  "application/json": "json",
  "application/xml": "xml",
  "text/xml": "xml",
  "application/javascript": "javascript",
  "application/js": "javascript",
  "text/javascript": "javascript",
} as const satisfies Record<string, DocumentKind>;
const pictures = { "image/png": "png", "image/svg+xml": "svg" } as const;
const documentsAndPictures = { ...documents, ...pictures };

/** JSON is always UTF-8 and PNG is binary. Other types declare their charset. */
const WITHOUT_CHARSET: ReadonlySet<string> = new Set(["application/json", "image/png"]);

function chosen<Outputs extends Readonly<Record<string, string>>>(
  accept: string | undefined,
  outputs: Outputs,
) {
  const types = Object.keys(outputs) as [keyof Outputs & string, ...(keyof Outputs & string)[]];
  const type = preferredOf(accept, types);
  const headers = {
    "content-type": WITHOUT_CHARSET.has(type) ? type : `${type}; charset=utf-8`,
    vary: "accept",
    "x-content-type-options": "nosniff",
  };
  return { output: outputs[type] as Outputs[keyof Outputs], headers };
}

type Chosen = Pick<BrailleTable, "file" | "languageName">;
/** A table of the list, or another table that an engine has. */
function getTable(
  { table, language, grade }: Static<typeof wire.TranslateRequest>,
  engines: Engines,
): Chosen {
  const found = findTable({ table, language, grade });
  if (found) return found;
  const file = table === undefined ? undefined : engines.findTableFile(table);
  if (file !== undefined) return { file, languageName: file.slice(0, file.lastIndexOf(".")) };
  const asked =
    table !== undefined
      ? `named ${table}`
      : `for the language ${language ?? "en"}${grade === undefined ? "" : ` in grade ${grade}`}`;
  throw errors.unknownTable(`There is no braille table ${asked}; /tables lists those that there are.`);
}

/** `mediaType`: overrides the Accept header. */
async function translate(
  form: Form,
  input: Static<typeof wire.TranslateRequest>,
  context: Context,
  mediaType?: string,
) {
  const { request, config } = context;
  const engines = await findEngines(engineChoiceOf(config));
  const table = getTable(input, engines);
  const shared = {
    text: input.text,
    tableFile: table.file,
    engine: engines.engineFor(table.file),
    languageName: table.languageName,
    form,
    layout: { widthCells: input.width, indentCells: input.indent },
    callback: input.callback,
  };
  const { accept = [] } = request.headers;
  const wanted = mediaType ?? ([accept].flat().join() || undefined);
  const answerWith = async (task: Task, headers: Readonly<Record<string, string>>) => {
    const { bytes, engine = shared.engine } = await runTask(task, askerOf(context));
    return answer(200, bytes, { ...headers, [ENGINE_HEADER]: engines.titleOf(engine) });
  };
  if (input.direction === "back") {
    const { output, headers } = chosen(wanted, documents);
    return answerWith({ kind: "translateBack", ...shared, output }, headers);
  }
  const { output, headers } = chosen(wanted, form === "braille images" ? documentsAndPictures : documents);
  const imageFolderUrl = `${request.mountUrl}/img/char`;
  return answerWith({ kind: "translate", ...shared, output, imageFolderUrl }, headers);
}

/** Address of an operation and its permission. */
type Address = {
  readonly suffix: string;
  /** Overrides the Accept header. */
  readonly mediaType?: string;
  readonly rights: Pick<Operation, "permission" | "tags">;
};
const PROMISED: Address = { suffix: "", rights: { permission: "braille:Translate" } };
/** Public addresses of the vendor. Pages and scripts call them without a key, from any origin. */
const PUBLIC: readonly Address[] = Object.entries({
  json: "application/json",
  xml: "application/xml",
}).map(([suffix, mediaType]) => ({
  suffix: `.${suffix}`,
  mediaType,
  rights: { permission: anyone, tags: ["addition"] },
}));

/**
 * These addresses check no permission, so they are available only on this machine. Elsewhere, the contract's
 * addresses require a key.
 */
function admitWithoutKey(
  { config, request: { headers } }: Context,
  { text }: { readonly text: string },
): void {
  const [host] = [headers.host].flat();
  if (!isForThisMachineAlone(config) || !isLocalHost(host))
    throw kernelErrors.unauthenticated("This address is for callers on the server's own machine.");
  if (text.length > LENGTH_WITHOUT_KEY_MAX)
    throw kernelErrors.unauthenticated(
      `Without a key a text has at most ${LENGTH_WITHOUT_KEY_MAX} characters.`,
    );
}

function operationsOf(spec: Spec, { suffix, mediaType, rights }: Address): Operation[] {
  const { form, shape, example } = spec;
  const types = Object.keys(form === "braille images" ? documentsAndPictures : documents);
  const otherTypes = (mediaType === undefined ? types : [mediaType]).filter((type) => type !== types[0]);
  const id = `braille.${spec.name}${suffix.replace(".", "-")}`;
  const summary = mediaType === undefined ? spec.summary : `${spec.summary}, always as ${mediaType}`;
  const description = [
    spec.description,
    mediaType === undefined
      ? "The table is chosen by `table`, or by `language` and `grade`; `direction=back` translates braille to text. The header `X-Braille-Engine` names the translator."
      : `For pages and scripts without a key: only on the server's own machine, and at most ${LENGTH_WITHOUT_KEY_MAX} characters.`,
  ].join(" ");
  const shared = {
    ...rights,
    description,
    path: spec.path + suffix,
    answers: { 200: finishedJson(shape, ...otherTypes) },
    errors: [errors.unknownTable, errors.notBraille, errors.pictureTooLarge, errors.untranslatable],
    acceptsNul: true,
    timeoutSeconds: TRANSLATION_SECONDS_MAX,
  };
  const handle = (input: Static<typeof wire.TranslateRequest>, context: Context) => {
    if (mediaType !== undefined) admitWithoutKey(context, input);
    return translate(form, input, context, mediaType);
  };
  const question = { text: "Fun Translations has something for everyone." };
  return [
    operation({
      ...shared,
      id: `${id}.get`,
      summary,
      method: "GET",
      query: wire.TranslateRequest,
      urlBytesMax: URL_BYTES_MAX,
      examples: { query: question, answer: example },
      handle: ({ query }, context) => handle(query, context),
    }),
    operation({
      ...shared,
      id: `${id}.post`,
      summary: `${summary}, for long texts`,
      method: "POST",
      body: wire.TranslateRequest,
      bodyKinds: ["json", "form", "multipart"],
      bodyBytesMax: BODY_BYTES_MAX,
      // The operation stores nothing, and a transaction must not wait for a worker.
      transaction: "manual",
      examples: { body: question, answer: example },
      handle: ({ body }, context) => handle(body, context),
    }),
  ];
}

const exampleOf = (translated: unknown, destination: Form) => ({
  success: { total: 1 },
  contents: {
    translated,
    text: "Fun Translations has something for everyone.",
    translation: { source: "english", destination },
  },
});

const specs: readonly Spec[] = [
  {
    name: "translate",
    path: "/translate/braille",
    form: "braille display",
    summary: "Translates text to ASCII braille for displays and embossers",
    description: "Lines are broken at `width` cells.",
    shape: wire.TextAnswer,
    example: exampleOf('  ,fun ,transla;ns has "s?+ =\r\n"ey"o4\r\n', "braille display"),
  },
  {
    name: "dots",
    path: "/translate/braille/dots",
    form: "braille dots",
    summary: "Translates text to the dot numbers of each braille cell",
    description: "An empty cell is `none`.",
    shape: wire.CellsAnswer,
    example: exampleOf(["none", "none", "6", "124", "136", "1345"], "braille dots"),
  },
  {
    name: "unicode",
    path: "/translate/braille/unicode",
    form: "braille unicode",
    summary: "Translates text to Unicode braille characters",
    description: "One character for each cell, from U+2800 on.",
    shape: wire.CellsAnswer,
    example: exampleOf(["⠀", "⠀", "⠠", "⠋", "⠥", "⠝"], "braille unicode"),
  },
  {
    name: "image",
    path: "/translate/braille/image",
    form: "braille images",
    summary: "Translates text to images of braille cells",
    description:
      "An `<img>` element for each cell; with `Accept: image/png` or `image/svg+xml` one picture of the whole.",
    shape: wire.CellsAnswer,
    example: exampleOf(
      [
        "<img src='http://127.0.0.1:4020/braille/img/char/0b.gif' alt='char 0x280b = &#x280b;' title='char 0x280b = &#x280b;' class='img-braille-char'>",
      ],
      "braille images",
    ),
  },
  {
    name: "html",
    path: "/translate/braille/html",
    form: "braille html",
    summary: "Translates text to HTML entities of braille characters",
    description: "One entity for each cell.",
    shape: wire.CellsAnswer,
    example: exampleOf(["&#x2800;", "&#x2800;", "&#x2820;", "&#x280b;"], "braille html"),
  },
];

export const translateOperations: readonly Operation[] = [PROMISED, ...PUBLIC].flatMap((address) =>
  specs.flatMap((spec) => operationsOf(spec, address)),
);
