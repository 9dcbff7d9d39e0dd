import { toWorkspacePath } from './job-paths.ts'

const COMMAND = Buffer.from('\\include')
/** Longer than any such command with a valid file name. */
const MAX_COMMAND_BYTES = 400
/** More than fits in a workspace. */
const MAX_INCLUDED = 2_000

/**
 * Names in `\include{part/one}`, workspace-relative.
 *
 * TeX writes `part/one.aux` before it looks for `part/one.tex`, and cannot create the folder. This runs on the main
 * thread before the first pass, so texts are searched as bytes and only the text after the command is decoded.
 */
export function listIncludedFiles(files: ReadonlyMap<string, Uint8Array>, folder: string): readonly string[] {
  const names = new Set<string>()
  let left = MAX_INCLUDED
  for (const [path, bytes] of files) {
    if (!path.endsWith('.tex')) continue
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    for (let at = text.indexOf(COMMAND); at !== -1 && left > 0; at = text.indexOf(COMMAND, at + COMMAND.length)) {
      const command = text.toString('latin1', at, at + MAX_COMMAND_BYTES)
      const name = /^\\include\s*\{([\w./ -]+)\}/.exec(command)?.[1]
      if (name !== undefined) names.add(name.trim())
      left -= 1
    }
  }
  return [...names].flatMap((name) => toWorkspacePath(name, folder) ?? [])
}
