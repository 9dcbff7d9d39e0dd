import { findLatexmkrc, type Latexmkrc, type ProjectFiles } from './find-latexmkrc.ts'
import { NO_TOOL_COMMANDS, parseToolCommands, type ToolCommands } from './parse-tool-commands.ts'
import { findSearchSettings } from './search-paths-of.ts'

/** The commands for Biber and for indexes that the latexmkrc of a document sets. */
export function toolCommandsOf(files: ProjectFiles, rootFile: string): ToolCommands {
  return findToolSettings(files, rootFile)?.settings ?? NO_TOOL_COMMANDS
}

/** The files of a project that are read as a latexmkrc, whose other settings are ignored. */
export function listReadSettings(files: ProjectFiles, rootFile: string): ReadonlySet<string> {
  const found = [findSearchSettings(files, rootFile), findToolSettings(files, rootFile)?.path ?? null]
  return new Set(found.filter((path) => path !== null))
}

function findToolSettings(files: ProjectFiles, rootFile: string): Latexmkrc<ToolCommands> | null {
  return findLatexmkrc(files, rootFile, (source) => {
    const commands = parseToolCommands(source)
    return commands.biber === null && commands.makeindex === null ? null : commands
  })
}
