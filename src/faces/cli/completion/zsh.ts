import { type CompletedCommand, type CompletedFlag, flagsOf } from "./completions.ts";

/** Writes the script for zsh, to be loaded or to be put into a directory of `fpath` as `_holdfast`. */
export function zshScript(commands: readonly CompletedCommand[], flags: readonly CompletedFlag[]): string {
  return `#compdef holdfast
# Completion of holdfast for zsh. Load it with: source <(holdfast completion zsh)
_holdfast() {
  local command= word
  local -a commands flags names
  commands=(
${commands.map(({ name, does }) => `    ${described(name, does)}`).join("\n")}
  )
  for word in \${words[2,CURRENT-1]}; do
    case $word in
      (${commands.map(({ name }) => name).join("|")}) command=$word; break ;;
    esac
  done
  case \${words[CURRENT-1]} in
${valueCases(flags)}
  esac
  case $command in
${commands.map(({ name, words }) => commandCase(name, words, flagsOf(flags, name))).join("\n")}
    (*)
      flags=(${flagsOf(flags, "mcp").map(describedFlag).join(" ")})
      [[ \${words[CURRENT]} == -* ]] || _describe command commands ;;
  esac
  [[ \${words[CURRENT]} == -* ]] && { _describe flag flags; return }
  (( $#names )) && _describe word names
  _files
}
if [[ \${funcstack[1]} == _holdfast ]]; then _holdfast "$@"; elif (( $+functions[compdef] )); then compdef _holdfast holdfast; fi
`;
}

const commandCase = (name: string, words: readonly string[], flags: readonly CompletedFlag[]): string =>
  `    (${name})
      names=(${words.join(" ")})
      flags=(${flags.map(describedFlag).join(" ")}) ;;`;

const describedFlag = ({ name, help }: CompletedFlag): string => described(`--${name}`, help);

/** Quotes a word with its description, which a colon separates. */
const described = (word: string, help: string): string =>
  `'${word}:${help.replaceAll(":", String.raw`\:`).replaceAll("'", String.raw`'\''`)}'`;

const valueCases = (flags: readonly CompletedFlag[]): string =>
  flags
    .flatMap(({ name, short, takes }) => {
      const names = [`--${name}`, ...(short === undefined ? [] : [`-${short}`])].join("|");
      return takes === "nothing" ? [] : [`    (${names}) ${replyFor(takes)}; return ;;`];
    })
    .join("\n");

function replyFor(takes: Exclude<CompletedFlag["takes"], "nothing">): string {
  if (takes === "value") return "_files";
  return takes === "directory" ? "_files -/" : `compadd -- ${takes.join(" ")}`;
}
