// A plugin in a file of its own: a function that is handed all that it takes to write one, wherever the file lies.
// In the configuration file: { "plugins": ["/path/to/plugin-module.mjs"] }
/** @type {import("holdfast").PluginModule} */
const words = ({ defineTool, answer, wholeText, READ_ONLY, z }) => ({
  id: "words",
  tools: [
    defineTool({
      name: "word_count",
      title: "Count words",
      description: "How many words a file has.",
      annotations: READ_ONLY,
      input: z.strictObject({ path: z.string().describe("A text file") }),
      output: z.object({ words: z.int() }),
      async plan({ path }, view) {
        const count = (await wholeText(view, path)).split(/\s+/).filter(Boolean).length;
        return answer(`${count} words`, { words: count });
      },
    }),
  ],
});

export default words;
