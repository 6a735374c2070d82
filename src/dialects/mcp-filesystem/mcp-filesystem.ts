import type { Dialect } from "../dialect.ts";
import { createDirectory, editFile, moveFile, writeFile } from "./changing.ts";
import { refusal } from "./faults.ts";
import { getFileInfo, listAllowedDirectories, listDirectory, listDirectoryWithSizes } from "./listing.ts";
import { readFile, readMediaFile, readMultipleFiles, readTextFile } from "./reading.ts";
import { directoryTree, searchFiles } from "./walking.ts";

/** A drop-in for the reference server of MCP, `@modelcontextprotocol/server-filesystem`. */
export const mcpFilesystem: Dialect = {
  name: "mcp-filesystem",
  tools: [
    readFile,
    readTextFile,
    readMediaFile,
    readMultipleFiles,
    writeFile,
    editFile,
    createDirectory,
    listDirectory,
    listDirectoryWithSizes,
    directoryTree,
    moveFile,
    searchFiles,
    getFileInfo,
    listAllowedDirectories,
  ],
  refusal,
  takesClientRoots: true,
};
