/** Request and response shapes. Member names beyond the contract follow its spelling. */
import { type TSchema, Type } from "@sinclair/typebox";
import type { UploadedFile } from "#kernel/operation";
import { says } from "#kernel/shape";

export const RULES_MAX = 10;
const RULE_CHARACTERS_MAX = 1024 * 1024;
export const IGNORED_MAX = 1000;
const IGNORED_LENGTH_MAX = 1024 * 1024;

const file = says(
  Type.Unsafe<UploadedFile>(
    Type.Unknown({
      type: "string",
      format: "binary",
      description: "The executable, as a file of the form.",
      examples: ["calc.exe"],
    }),
  ),
  { missing: "is missing: the form must have one file of this name" },
);
const yesOrNo = Type.Optional(
  Type.Union([Type.Literal("true"), Type.Literal("false")], {
    description: "Whether the executable is unpacked first; `false` where it is missing.",
    examples: ["true"],
  }),
);

export const FileForm = Type.Object({ file });
export const StringsForm = Type.Object({
  file,
  is_unpacking_required: yesOrNo,
  minimum_string_length: Type.Optional(
    Type.String({
      pattern: "^(?:[1-9]|[1-9][0-9]|[1-4][0-9]{2}|500)$",
      description: "How many characters a text has at the least, 1 to 500; 4 where it is missing.",
      examples: ["6"],
    }),
  ),
  strings_to_ignore: Type.Optional(
    Type.Array(Type.String({ maxLength: IGNORED_LENGTH_MAX }), {
      maxItems: IGNORED_MAX,
      description: "Texts to leave out, each as a field of this name, or all of them as one JSON list.",
      examples: [["KERNEL32.DLL"]],
    }),
  ),
});
export const RulesForm = Type.Object({
  file,
  is_unpacking_required: yesOrNo,
  rules: Type.Array(Type.String({ minLength: 4, maxLength: RULE_CHARACTERS_MAX }), {
    minItems: 1,
    maxItems: RULES_MAX,
    description:
      "YARA rules in base64, each text as a field of this name, or all of them as one JSON list. A text may hold several rules.",
    examples: [["cnVsZSBhIHsgY29uZGl0aW9uOiB0cnVlIH0="]],
  }),
});

const text = (description: string, example: string) => Type.String({ description, examples: [example] });
const count = (description: string, example: number) => Type.Integer({ description, examples: [example] });
const yes = (description: string) => Type.Boolean({ description, examples: [true] });
const list = <T extends TSchema>(items: T, description: string) => Type.Array(items, { description });
const texts = (description: string, ...examples: readonly string[]) =>
  Type.Array(Type.String(), { description, examples: [examples] });
const SHA256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

const Layer = Type.Object({
  address: text("Where the program went on in what it had written itself.", "0x401000"),
  place: text("The section, or where else that lies.", "section UPX0"),
  from: text("Where it came from.", "section UPX1"),
  instructions: count("How many instructions had been executed by then.", 184_220),
});
const Import = Type.Object({
  library: text("A library of the system.", "kernel32.dll"),
  address: text("Where its table lies, from the image's base.", "0x8000"),
  functions: texts("What is imported of it, by name or as `#` and a number.", "GetProcAddress", "#17"),
});
const Section = Type.Object({
  name: text("What it is called.", ".text"),
  address: text("Where it lies, from the image's base.", "0x1000"),
  size: count("What it takes in memory, in bytes.", 24_576),
  file_size: count("What it takes in the file, in bytes.", 11_264),
  is_executable: yes("Whether its bytes may be executed."),
  is_writable: yes("Whether its bytes may be written."),
  entropy_before: Type.Number({
    description: "Bits per byte in the file, 0 to 8: near 8 it is compressed or encrypted.",
    examples: [7.91],
  }),
  entropy_after: Type.Number({
    description: "The same in memory, when the emulation ended.",
    examples: [6.12],
  }),
});
const FileFacts = Type.Object({
  name: text("Its name, as far as it is plain.", "calc.exe"),
  size: count("In bytes.", 20_480),
  sha256: text("Its hash.", SHA256),
});

const UnboundImport = Type.Object({
  address: text("Where the slot lies, from the image's base.", "0x2010"),
  target: text("The address that it holds.", "0x2120000"),
});

export const ReportView = Type.Object({
  verdict: Type.Union([Type.Literal("unpacked"), Type.Literal("plain"), Type.Literal("stopped")], {
    description:
      "`unpacked`: it was packed and has been unpacked. `plain`: it is not packed. `stopped`: what was packed has not been reached.",
    examples: ["unpacked"],
  }),
  reason: text("Why the emulation ended where it did.", "It asks for GetCommandLineA."),
  file: Type.Object(FileFacts.properties, { description: "What was sent." }),
  unpacked: Type.Optional(
    Type.Object(
      {
        name: FileFacts.properties.name,
        size: FileFacts.properties.size,
        sha256: FileFacts.properties.sha256,
      },
      { description: "The rebuilt executable; missing where there is none." },
    ),
  ),
  packer: Type.Optional(
    Type.Object(
      {
        name: text("What it is called.", "UPX"),
        marks: texts("What it was known by.", "a section named UPX0"),
      },
      { description: "What it was packed with; missing where that is not known." },
    ),
  ),
  base: text("Where the image lies in memory.", "0x400000"),
  entry_point: text("Where it begins, from the image's base.", "0xd1e0"),
  original_entry_point: Type.Optional(
    text("Where what was packed begins; missing where it has not been reached.", "0x1290"),
  ),
  layers: list(Layer, "Each time the program went on in what it had written, in this order."),
  imports: list(Import, "The import table of the rebuilt executable."),
  unbound_imports: list(
    UnboundImport,
    "Slots among those of the import table that lead to no function of the system, 1,000 at most.",
  ),
  sections: list(Section, "The sections, with how disordered their bytes are before and after."),
  instructions: count("How many instructions were executed.", 1_842_311),
  memory_bytes: count("How much memory the program had in the end.", 1_257_472),
  api_calls: count("How often it called the system.", 214),
  seconds: Type.Number({ description: "How long the emulation took.", examples: [0.42] }),
  is_cached: yes("Whether it was known from before."),
});

const ApiCall = Type.Object({
  library: text("Whose function it is.", "kernel32.dll"),
  name: text("The function.", "VirtualProtect"),
  arguments: texts("What it was given: numbers as 0x…, texts in quotes.", '"user32.dll"'),
  result: Type.Optional(text("What it answered.", "0x1")),
  caller: text("Where it returns to.", "0x40d2aa"),
  instructions: count("How many instructions had been executed by then.", 184_002),
  is_modelled: yes("Whether the function does something here; else it answers something plausible."),
});
const WrittenText = Type.Object({
  address: text("Where it lies in memory.", "0x408120"),
  text: text("The text, which was not in the file.", "Usage: calc [options]"),
  is_wide: yes("Whether it is UTF-16."),
});
const Notable = Type.Object({
  kind: text("`layer`, `exception`, `protection`, `allocation`, `thread`, `message` or `end`.", "protection"),
  text: text("What happened.", "0x401000 may be executed and written."),
  address: text("Where.", "0x40d2aa"),
  instructions: count("How many instructions had been executed by then.", 184_002),
});
export const EmulationView = Type.Object({
  output: texts(
    "What happened, line by line: events and calls of the system in their order, then texts that were written.",
    '0x40340c kernel32.dll!LoadLibraryA("user32.dll") = 0x75200000',
  ),
  verdict: ReportView.properties.verdict,
  reason: ReportView.properties.reason,
  calls: list(ApiCall, "The calls of the system."),
  calls_left_out: count("Calls beyond those that are listed.", 0),
  events: list(Notable, "What is worth noting."),
  strings: list(WrittenText, "Texts that were not in the file and lay in memory in the end."),
});

const Ranked = Type.Object({
  section: text("Where it lies.", ".rdata"),
  text: text("The text.", "https://updates.example/check.php"),
  offset: count("Where it begins in the file.", 32_104),
  is_wide: yes("Whether it is UTF-16."),
  score: Type.Number({ description: "The more telling, the higher.", examples: [84.5] }),
  why: text("What speaks for it.", "an address on the network"),
});
export const RuleView = Type.Object({
  rule: Type.Object(
    {
      name: text("Its name, made of the file's.", "sample_calc"),
      meta: Type.Object(
        {
          date: text("The day.", "2026-11-15"),
          md5sum: text("Hash of what the strings are of.", "098f6bcd4621d373cade4e832627b4f6"),
          sha256sum: text("Hash of what the strings are of.", SHA256),
          sha512sum: text(
            "Hash of what the strings are of.",
            "ee26b0dd4af7e749aa1a8ee3c10ae9923f618980772e473f8819a5d4940e0db2",
          ),
        },
        { description: "What is told about the rule." },
      ),
      strings: Type.Array(Type.Array(Type.String(), { minItems: 2, maxItems: 2 }), {
        description: "The texts: each with its section first.",
        examples: [[[".rdata", "Usage: calc [options]"]]],
      }),
    },
    { description: "A rule without its condition." },
  ),
  strings_left_out: count("Texts beyond those that are listed.", 0),
  ranked: list(Ranked, "The most telling texts first, without those that every executable has."),
  full_rule: text(
    "A whole rule of the most telling texts, which compiles.",
    'rule sample_calc { strings: $s0 = "…" condition: $s0 }',
  ),
  is_of_unpacked: yes("Whether all this is of the unpacked form."),
});

const MatchedRule = Type.Object({
  rule: text("The rule's name.", "calculators"),
  string_information: Type.Array(Type.String(), {
    description: "Where its strings are: offset, length, name and bytes.",
    examples: [["0x1a2c:5:$a: Usage"]],
  }),
});
const StringPlace = Type.Object({
  identifier: text("The string's name.", "$a"),
  offset: count("Where it begins.", 6700),
  length: count("How many bytes it has.", 5),
  data: text("The bytes; those that cannot be printed as \\x00.", "Usage"),
});
const MetaValue = Type.Object({
  name: text("Its name.", "author"),
  value: Type.Union([Type.String(), Type.Number(), Type.Boolean()], {
    description: "What the rule says there.",
    examples: ["Ann"],
  }),
});
const Match = Type.Object({
  rule: MatchedRule.properties.rule,
  source: count("Which of the given texts has it, from 0.", 0),
  tags: texts("Its tags.", "garden"),
  meta: list(MetaValue, "What it says about itself."),
  strings: list(StringPlace, "Where its strings are."),
});
const Source = Type.Object({
  source: count("Which of the given texts, from 0.", 0),
  is_compiled: yes("Whether it could be compiled; if not, it was not applied."),
  errors: texts("What is wrong with it.", "error[E009]: unknown identifier `foo`"),
  warnings: texts(
    "What could be better.",
    "warning[text_as_hex]: hex pattern could be written as text literal",
  ),
});
export const AppliedView = Type.Object({
  result: Type.Object(
    {
      is_success: yes("Whether all rules were compiled and applied."),
      error_message: Type.Optional(
        text("What went wrong.", "Text 0 does not compile: unknown identifier `foo`."),
      ),
      yara_command: text(
        "The command that would do the same.",
        "yr scan --print-strings rules_0.yar calc.exe",
      ),
      matched_yara_rules: Type.Optional(
        Type.Array(Type.Array(MatchedRule), {
          description: "Rules that match: a list for each of the given texts.",
          examples: [[[{ rule: "calculators", string_information: ["0x1a2c:5:$a: Usage"] }]]],
        }),
      ),
      matches: list(Match, "The same with tags, meta and places."),
      rules: list(Source, "Each of the given texts: whether it compiles."),
      is_of_unpacked: yes("Whether the rules were applied to the unpacked form."),
    },
    { description: "What came of it." },
  ),
});
