/** YARA rules: generated from the strings of an executable, and applied to an executable. */
import { isoOf } from "#kernel/clock";
import { anyone, kernelErrors } from "#kernel/operation";
import { ruleNameOf, ruleTextOf, stringLineOf } from "../domain/rules.ts";
import { errors } from "../errors.ts";
import * as wire from "../wire.ts";
import { type AppliedRules, SCAN_SECONDS_MAX } from "../workers/index.ts";
import { askerOf, formOf, operation, TAKES_FILE } from "./analysis.ts";
import { uploadOf } from "./upload.ts";

const LENGTH_MIN_DEFAULT = 4;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Most forms repeat the field. Some clients send one field with a JSON array. */
function listOf(name: string, given: readonly string[], countMax: number): readonly string[] {
  const [only] = given;
  if (given.length !== 1 || !only?.trimStart().startsWith("[")) return given;
  let items: unknown;
  try {
    items = JSON.parse(only);
  } catch {
    return given;
  }
  const isList = Array.isArray(items) && items.every((item) => typeof item === "string");
  if (!isList) throw kernelErrors.invalidInput(`'${name}' must be a list of texts.`);
  const texts = items as string[];
  if (texts.length > countMax)
    throw kernelErrors.invalidInput(`'${name}' must have ${countMax} items at the most.`);
  return texts;
}

const generateRule = operation({
  ...TAKES_FILE,
  id: "unpack.generate-partial-yara-rules",
  summary: "Generates a YARA rule from the strings of an executable",
  description:
    "The rule has no condition. The response also has the most telling strings, ranked, and a complete rule of them, which compiles. With `is_unpacking_required`, the unpacked form is used.",
  method: "POST",
  path: "/generate-partial-yara-rules",
  permission: anyone,
  body: wire.StringsForm,
  answers: { 200: wire.RuleView },
  errors: [errors.brokenFile, errors.notUnpacked, errors.notAFile],
  async handle({ body }, context) {
    const upload = await uploadOf(body.file);
    const { bytes, size, isUnpacked } = await formOf(context, upload, body.is_unpacking_required === "true");
    const { strings, leftOut, ranked, hashes } = await context.state.laboratory.findStrings(
      askerOf(context),
      {
        content: bytes,
        lengthMin: Number(body.minimum_string_length ?? LENGTH_MIN_DEFAULT),
        ignored: listOf("strings_to_ignore", body.strings_to_ignore ?? [], wire.IGNORED_MAX),
      },
    );
    const name = ruleNameOf(upload.name);
    const meta = { date: isoOf(context.clock.nowMs()).slice(0, 10), ...hashes };
    return {
      rule: { name, meta, strings: strings.map(({ section, text }) => [section, text]) },
      strings_left_out: leftOut,
      ranked: ranked.map(({ section, text, offset, isWide, score, why }) => ({
        section,
        text,
        offset,
        is_wide: isWide,
        score,
        why,
      })),
      full_rule: ruleTextOf(name, meta, ranked, size),
      is_of_unpacked: isUnpacked,
    };
  },
});

function ruleTextsOf(rules: readonly string[]): string[] {
  return rules.map((rule, index) => {
    if (!BASE64.test(rule.replace(/\s/g, ""))) throw errors.notBase64(`'rules[${index}]' is not base64.`);
    return Buffer.from(rule, "base64").toString("utf8");
  });
}
const problemsOf = (rules: readonly AppliedRules[]): string[] =>
  rules.flatMap(({ errors: found }, index) =>
    found.length > 0
      ? [`Text ${index} does not compile: ${found[0]?.split("\n", 1)[0]?.replace(/^error\[\w+\]: /, "")}.`]
      : [],
  );
const commandOf = (count: number, fileName: string): string => {
  const names = Array.from({ length: count }, (_, index) => `rules_${index}.yar`);
  return `yr scan --print-strings ${names.join(" ")} ${/^[\w.-]+$/.test(fileName) ? fileName : "file.exe"}`;
};

const applyRules = operation({
  ...TAKES_FILE,
  id: "unpack.apply-yara-rules",
  summary: "Applies YARA rules to an executable or its unpacked form",
  description: `At most ${wire.RULES_MAX} texts of rules, in base64. Texts that do not compile are reported and the others are applied; \`is_success\` is false then. Rules that take more than ${SCAN_SECONDS_MAX} seconds fail with status 200.`,
  method: "POST",
  path: "/apply-yara-rules",
  permission: anyone,
  body: wire.RulesForm,
  answers: { 200: wire.AppliedView },
  errors: [errors.brokenFile, errors.notUnpacked, errors.notAFile, errors.notBase64],
  async handle({ body }, context) {
    const upload = await uploadOf(body.file);
    const texts = ruleTextsOf(listOf("rules", body.rules, wire.RULES_MAX));
    const { bytes, isUnpacked } = await formOf(context, upload, body.is_unpacking_required === "true");
    const applied = await context.state.laboratory.applyRules(askerOf(context), {
      content: bytes,
      rules: texts,
    });
    const shared = { yara_command: commandOf(texts.length, upload.name), is_of_unpacked: isUnpacked };
    if (!applied)
      return {
        result: {
          ...shared,
          is_success: false,
          error_message: `The rules took more than ${SCAN_SECONDS_MAX} seconds, or more memory than rules may have.`,
          matches: [],
          rules: [],
        },
      };
    const { rules } = applied;
    const problems = problemsOf(rules);
    return {
      result: {
        ...shared,
        is_success: problems.length === 0,
        ...(problems.length > 0 && { error_message: problems.join(" ") }),
        matched_yara_rules: rules.map(({ matches }) =>
          matches.map(({ rule, strings }) => ({ rule, string_information: strings.map(stringLineOf) })),
        ),
        matches: rules.flatMap(({ matches }, source) =>
          matches.map(({ rule, tags, meta, strings }) => ({
            rule,
            source,
            tags: [...tags],
            meta: [...meta],
            strings: [...strings],
          })),
        ),
        rules: rules.map(({ errors: found, warnings }, source) => ({
          source,
          is_compiled: found.length === 0,
          errors: [...found],
          warnings: [...warnings],
        })),
      },
    };
  },
});

export const ruleOperations = [generateRule, applyRules];
