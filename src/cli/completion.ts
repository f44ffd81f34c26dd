/** `medley completion`: a script that completes commands and flags in bash, zsh or fish. */
import { settings } from "#app";
import { UsageError } from "#kernel/manifest";
import type { Command } from "./command.ts";
import { refuseSurplus } from "./surplus.ts";

type Words = { readonly commands: readonly string[]; readonly flags: readonly string[] };

const bash = ({ commands, flags }: Words): string => `_medley() {
  local word="\${COMP_WORDS[COMP_CWORD]}"
  case "$word" in
    -*) COMPREPLY=($(compgen -W "${flags.join(" ")}" -- "$word")) ;;
    *)
      if [ "$COMP_CWORD" -eq 1 ]; then COMPREPLY=($(compgen -W "${commands.join(" ")}" -- "$word"))
      else COMPREPLY=($(compgen -f -- "$word")); fi ;;
  esac
}
complete -F _medley medley`;
const zsh = ({ commands, flags }: Words): string => `#compdef medley
_medley() {
  if [[ $words[CURRENT] == -* ]]; then compadd -- ${flags.join(" ")}
  elif (( CURRENT == 2 )); then compadd -- ${commands.join(" ")}
  else _files; fi
}
compdef _medley medley`;
const fish = ({ commands, flags }: Words): string =>
  [
    `complete -c medley -n __fish_use_subcommand -f -a "${commands.join(" ")}"`,
    ...flags.map((flag) => `complete -c medley -l ${flag.slice(2)}`),
  ].join("\n");
const SHELLS: Readonly<Record<string, (words: Words) => string>> = { bash, zsh, fish };

/** `others`: names of all other commands. */
export const completionOf = (others: () => readonly string[]): Command => {
  const usage = ["completion bash|zsh|fish"];
  return {
    name: "completion",
    usage,
    summary: 'print shell completions: eval "$(medley completion bash)"',
    async run(words) {
      refuseSurplus(words, usage);
      const [shell = ""] = words;
      const script = SHELLS[shell];
      if (!script) throw new UsageError(`name one of ${Object.keys(SHELLS).join(", ")}`);
      const flags = ["config", ...settings.map(({ flag }) => flag)].map((flag) => `--${flag}`);
      console.log(script({ commands: [...others(), "completion", "help", "version"], flags }));
      return 0;
    },
  };
};
