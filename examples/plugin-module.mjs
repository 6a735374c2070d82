// A plugin in its own file: a function that gets everything it needs as an argument, so the file can be anywhere.
// In the configuration file: { "plugins": ["/path/to/plugin-module.mjs"] }
/** @type {import("holdfast").PluginModule} */
const words = ({ defineTool, answer, readWholeText, READ_ONLY, z }) => ({
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
        const count = (await readWholeText(view, path)).split(/\s+/).filter(Boolean).length;
        return answer(`${count} words`, { words: count });
      },
    }),
  ],
});

export default words;
