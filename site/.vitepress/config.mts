import { defineConfig } from "vitepress";

/** Builds the documentation from a copy of `docs/`, without the network. A dead link fails the build. */
export default defineConfig({
  title: "Holdfast",
  description: "Files and a shell for AI agents: nothing escapes, nothing is lost, everything can be undone.",
  srcDir: "pages",
  outDir: "dist",
  cacheDir: ".cache",
  cleanUrls: true,
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    nav: [
      { text: "First steps", link: "/start" },
      { text: "Rules", link: "/rules" },
      { text: "Tools", link: "/tools" },
      { text: "Threat model", link: "/THREAT_MODEL" },
    ],
    sidebar: [
      {
        text: "Begin",
        items: [
          { text: "First steps", link: "/start" },
          { text: "Connect a client", link: "/clients" },
          { text: "The tools in short", link: "/tool-guide" },
          { text: "Look back and undo", link: "/undo" },
          { text: "Approve or deny", link: "/approvals" },
          { text: "Run commands", link: "/commands" },
          { text: "Use it from TypeScript", link: "/typescript" },
          { text: "Packages", link: "/packages" },
          { text: "Comparison", link: "/comparison" },
        ],
      },
      {
        text: "Recipes",
        items: [
          { text: "Make an agent safe", link: "/recipes/safe-agent" },
          { text: "Approvals on the phone", link: "/recipes/phone" },
          { text: "Undo an afternoon", link: "/recipes/undo-an-afternoon" },
          { text: "Several agents", link: "/recipes/several-agents" },
          { text: "Continuous integration", link: "/recipes/ci" },
        ],
      },
      {
        text: "Reference",
        items: [
          { text: "Rules cookbook", link: "/rules" },
          { text: "Tools", link: "/tools" },
          { text: "Images, documents, archives", link: "/content" },
          { text: "Settings", link: "/configuration" },
          { text: "Flags and files", link: "/operating" },
          { text: "Errors", link: "/errors" },
          { text: "Dialects", link: "/dialects" },
          { text: "Plugins", link: "/plugins" },
          { text: "Containers", link: "/containers" },
          { text: "Storages", link: "/storages" },
          { text: "TypeScript exports", link: "/api" },
        ],
      },
      {
        text: "Inside",
        items: [
          { text: "Architecture", link: "/ARCHITECTURE" },
          { text: "Threat model", link: "/THREAT_MODEL" },
          { text: "Caches", link: "/caches" },
          { text: "The walk of a call", link: "/walk" },
        ],
      },
    ],
  },
});
