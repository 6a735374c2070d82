import type { Dialect } from "../dialect.ts";
import { createDirectory, editFile, moveFile, writeFile } from "./change-tools.ts";
import { answerFault } from "./faults.ts";
import { getFileInfo, listAllowedDirectories, listDirectory, listDirectoryWithSizes } from "./list-tools.ts";
import { readFile, readMediaFile, readMultipleFiles, readTextFile } from "./read-tools.ts";
import { directoryTree, searchFiles } from "./find-tools.ts";

/** Replaces the reference server of MCP, `@modelcontextprotocol/server-filesystem`. */
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
  answerFault,
  acceptsClientRoots: true,
  operatorMessages: {
    running: "Secure MCP Filesystem Server running on stdio",
    noneUsable: "Error: None of the specified directories are accessible",
    skipped: (directory, isThere) =>
      isThere
        ? `Warning: ${directory} is not a directory, skipping`
        : `Warning: Cannot access directory ${directory}, skipping`,
    replaced: (count) => `Updated allowed directories from MCP roots: ${count} valid directories`,
  },
};
