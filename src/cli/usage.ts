/** Usage lines of commands, as the help prints them: the words and the flags of each line. */

const FLAGS = /\[--?[^\][]{1,80}\]|--\S{1,40}(?: [A-Z]\S{0,40})?/g;
const FLAG = /--([a-z][a-z-]{0,39})(?: ([^\s\][]{1,60}))?/g;
/** A literal word. Other words are placeholders, such as `ID`, `[FILE]` or `36h`. */
const LITERAL = /^[a-z][a-z-]*$/;
/** One of the values of a flag, such as `s3|database` or `token|apiKey`. */
const CHOICE = /^[a-z]\w*$/i;

export type UsageFlag = {
  readonly name: string;
  readonly choices: readonly string[];
  readonly isSwitch: boolean;
};
export type UsageLine = { readonly words: readonly string[]; readonly flags: readonly UsageFlag[] };

export const isLiteral = (word: string): boolean => LITERAL.test(word);

function flagOf([, name = "", value]: RegExpExecArray): UsageFlag {
  const values = value?.split("|") ?? [];
  const choices = values.length > 1 && values.every((one) => CHOICE.test(one)) ? values : [];
  return { name, choices, isSwitch: value === undefined };
}
/** `state export [FILE] [--service S]` has the words `export` and `[FILE]`, and the flag `service`. */
const lineOf = (line: string): UsageLine => ({
  words: line.replace(FLAGS, "").trim().split(/ +/).slice(1),
  flags: [...line.matchAll(FLAG)].map(flagOf),
});

export const usageLinesOf = (usage: readonly string[]): UsageLine[] =>
  usage.flatMap((one) => one.split(" | ")).map(lineOf);
