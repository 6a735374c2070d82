import { type CompletedCommand, type CompletedFlag, flagsOf } from "./completions.ts";

/** Writes the script for bash. Where nothing is listed, bash completes the names of files. */
export function bashScript(commands: readonly CompletedCommand[], flags: readonly CompletedFlag[]): string {
  return `# Completion of holdfast for bash. Load it with: eval "$(holdfast completion bash)"
_holdfast() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} command= word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in
      ${commands.map(({ name }) => name).join("|")}) command=$word; break ;;
    esac
  done
  COMPREPLY=()
  case $prev in
${valueCases(flags)}
  esac
  case $command in
${commands.map(({ name, words }) => commandCase(name, words, flagsOf(flags, name))).join("\n")}
    *) word="${namesOf(commands, flags)}" ;;
  esac
  COMPREPLY=($(compgen -W "$word" -- "$cur"))
}
complete -o default -F _holdfast holdfast
`;
}

const commandCase = (name: string, words: readonly string[], flags: readonly CompletedFlag[]): string =>
  `    ${name}) word="${[...words, ...flags.map((flag) => `--${flag.name}`)].join(" ")}" ;;`;

/** Before a command: all commands, and the flags of the server, which is the default. */
const namesOf = (commands: readonly CompletedCommand[], flags: readonly CompletedFlag[]): string =>
  [...commands.map(({ name }) => name), ...flagsOf(flags, "mcp").map(({ name }) => `--${name}`)].join(" ");

const valueCases = (flags: readonly CompletedFlag[]): string =>
  flags
    .flatMap(({ name, short, takes }) => {
      const reply = replyFor(takes);
      const names = [`--${name}`, ...(short === undefined ? [] : [`-${short}`])].join("|");
      return reply === undefined ? [] : [`    ${names}) ${reply}return ;;`];
    })
    .join("\n");

function replyFor(takes: CompletedFlag["takes"]): string | undefined {
  if (takes === "nothing") return undefined;
  if (takes === "value") return "";
  if (takes === "directory") return 'COMPREPLY=($(compgen -d -- "$cur")); ';
  return `COMPREPLY=($(compgen -W "${takes.join(" ")}" -- "$cur")); `;
}
