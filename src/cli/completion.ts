/** `medley completion`: a script that completes commands, their words and their flags in bash, zsh or fish. */
import { settings } from "#app";
import { UsageError } from "#kernel/manifest";
import type { Command } from "./command.ts";
import { refuseSurplus } from "./surplus.ts";
import { isLiteral, type UsageFlag, usageLinesOf } from "./usage.ts";

type Part = { readonly verb: string; readonly flags: readonly UsageFlag[] };
/** What can follow the name of a command. */
type Known = {
  readonly name: string;
  readonly verbs: readonly string[];
  /** It takes any number of names of services. */
  readonly takesServices: boolean;
  /** The flags of each verb; those of an empty verb belong to the command without one. */
  readonly parts: readonly Part[];
};
type Words = {
  readonly commands: readonly string[];
  readonly known: readonly Known[];
  readonly services: readonly string[];
  readonly general: readonly UsageFlag[];
};

const HELP = "help";

type Told = Pick<Command, "name" | "usage">;

/** `general`: flags that every command has. */
function knownOf({ name, usage }: Told, general: readonly UsageFlag[]): Known {
  const lines = usageLinesOf(usage);
  const verbsOf = ([first = ""]: readonly string[]) => first.split("|").filter(isLiteral);
  const verbs = [...new Set(lines.flatMap(({ words }) => verbsOf(words)))];
  const isOwn = (flag: UsageFlag) => !general.some((one) => one.name === flag.name);
  const flagsOf = (verb: string) =>
    lines
      .filter(({ words }) => (verbsOf(words).length === 0 ? verb === "" : verbsOf(words).includes(verb)))
      .flatMap(({ flags }) => flags.filter(isOwn));
  const parts = ["", ...verbs].map((verb) => ({ verb, flags: flagsOf(verb) }));
  return {
    name,
    verbs,
    takesServices: lines.some(({ words }) => words[0] === "[service…]"),
    parts: parts.filter(({ flags }) => flags.length > 0),
  };
}

const spelt = (flags: readonly UsageFlag[]): string => flags.map(({ name }) => `--${name}`).join(" ");
const choicesOf = ({ parts }: Known): readonly UsageFlag[] =>
  parts.flatMap(({ flags }) => flags).filter(({ choices }) => choices.length > 0);

/** For bash and zsh. `$at`: the number of words before `$word`. An empty `$found` completes file names. */
const findingWords = ({ commands, known, services, general }: Words): string[] => [
  '  case "$at $command" in',
  `    "1 "*) found="${commands.join(" ")}" ;;`,
  ...known.flatMap(({ name, verbs, takesServices }) => [
    ...(takesServices ? [`    *" ${name}") found="${services.join(" ")}" ;;`] : []),
    ...(verbs.length > 0 ? [`    "2 ${name}") found="${verbs.join(" ")}" ;;`] : []),
  ]),
  "  esac",
  '  case "$word" in -*)',
  "    found=",
  '    case "$command $verb" in',
  ...known.flatMap(({ name, parts }) =>
    // A flag may stand in the place of the verb.
    parts
      .map(({ verb, flags }) => `      "${name} ${verb}"${verb ? "" : "*"}) found="${spelt(flags)}" ;;`)
      .reverse(),
  ),
  "    esac",
  `    found="$found ${spelt(general)}" ;;`,
  "  esac",
  '  case "$command $before" in',
  ...known.flatMap((one) =>
    choicesOf(one).map(({ name, choices }) => `    "${one.name} --${name}") found="${choices.join(" ")}" ;;`),
  ),
  "  esac",
];
const bash = (words: Words): string =>
  [
    "_medley() {",
    `  local at=$COMP_CWORD found= command="\${COMP_WORDS[1]}" verb="\${COMP_WORDS[2]}"`,
    `  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}"`,
    ...findingWords(words),
    '  if [ -n "$found" ]; then COMPREPLY=($(compgen -W "$found" -- "$word"))',
    '  else COMPREPLY=($(compgen -f -- "$word")); fi',
    "}",
    "complete -F _medley medley",
  ].join("\n");
const zsh = (words: Words): string =>
  [
    "#compdef medley",
    "_medley() {",
    '  local at=$((CURRENT - 1)) found= command="$words[2]" verb="$words[3]"',
    '  local word="$words[CURRENT]" before="$words[CURRENT-1]"',
    ...findingWords(words),
    `  if [ -n "$found" ]; then compadd -- \${=found}; else _files; fi`,
    "}",
    "compdef _medley medley",
  ].join("\n");

const FISH_CONDITIONS = `function __medley_after
  set -l words (commandline -opc)
  set -e words[1]
  test "$words" = "$argv"
end
function __medley_in
  set -l words (commandline -opc)
  test "$words[2]" = "$argv[1]"; or return 1
  test -z "$argv[2]"; or test "$words[3]" = "$argv[2]"
end`;
const fishFlag = ({ name, choices, isSwitch }: UsageFlag): string =>
  choices.length > 0 ? `-l ${name} -x -a "${choices.join(" ")}"` : `-l ${name}${isSwitch ? "" : " -r"}`;
const fish = ({ commands, known, services, general }: Words): string =>
  [
    FISH_CONDITIONS,
    `complete -c medley -n __medley_after -f -a "${commands.join(" ")}"`,
    ...known.flatMap(({ name, verbs, takesServices, parts }) => [
      ...(verbs.length > 0
        ? [`complete -c medley -n "__medley_after ${name}" -f -a "${verbs.join(" ")}"`]
        : []),
      ...(takesServices ? [`complete -c medley -n "__medley_in ${name}" -f -a "${services.join(" ")}"`] : []),
      ...parts.flatMap(({ verb, flags }) =>
        flags.map(
          (flag) => `complete -c medley -n "__medley_in ${`${name} ${verb}`.trim()}" ${fishFlag(flag)}`,
        ),
      ),
    ]),
    ...general.map((flag) => `complete -c medley ${fishFlag(flag)}`),
  ].join("\n");
const SHELLS: Readonly<Record<string, (words: Words) => string>> = { bash, zsh, fish };

/** `others`: all other commands; the words come from their usage lines, which the help prints. */
export const completionOf = (others: () => readonly Told[], services: readonly string[]): Command => {
  const usage = [`completion ${Object.keys(SHELLS).join("|")}`];
  const name = "completion";
  return {
    name,
    usage,
    summary: 'print shell completions: eval "$(medley completion bash)"',
    async run(given) {
      refuseSurplus(given, usage);
      const [shell = ""] = given;
      const script = SHELLS[shell];
      if (!script) throw new UsageError(`name one of ${Object.keys(SHELLS).join(", ")}`);
      const general = [
        { name: "config", choices: [], isSwitch: false },
        ...settings.map(({ flag, isSwitch = false }) => ({ name: flag, choices: [], isSwitch })),
      ];
      const known = [...others(), { name, usage }].map((one) => knownOf(one, general));
      const names = [...known.map((one) => one.name), HELP, "version"];
      const help: Known = { name: HELP, verbs: names, takesServices: false, parts: [] };
      console.log(script({ commands: names, known: [...known, help], services, general }));
      return 0;
    },
  };
};
