import type { Surface } from "../../runtime/pipeline/surface.ts";

/** Describes a prompt to clients, which offer it to people as a command. */
export interface ListedPrompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: false }[];
}

/** Lists the prompts whose tools are listed. Needs no SDK, so that listing them costs nothing at the start. */
export const listedPrompts = ({ tools, files }: Surface): ListedPrompt[] =>
  files ? PROMPTS.filter(({ tool }) => tools.some(({ name }) => name === tool)).map(({ prompt }) => prompt) : [];

const PATH = { name: "path", description: "Only this file or directory", required: false } as const;

const PROMPTS: readonly { readonly tool: string; readonly prompt: ListedPrompt }[] = [
  {
    tool: "history",
    prompt: {
      name: "review-changes",
      title: "Review changes",
      description: "Review what this session changed, as one diff",
      arguments: [{ name: "session", description: "Another session, by its id", required: false }, PATH],
    },
  },
  {
    tool: "undo",
    prompt: {
      name: "undo",
      title: "Undo",
      description: "Take back the last change of this session, after a preview",
      arguments: [
        {
          name: "change",
          description: 'A change_id, or "session" for everything that this session changed',
          required: false,
        },
        PATH,
      ],
    },
  },
];
