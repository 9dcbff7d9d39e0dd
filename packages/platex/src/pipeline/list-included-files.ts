import { latin1 } from './canonical-digest.ts'
import { toWorkspacePath } from './job-paths.ts'

/**
 * Names in `\include{part/one}`, workspace-relative.
 *
 * TeX writes `part/one.aux` before it looks whether there is a `part/one.tex`, and cannot make the folder itself.
 */
export function listIncludedFiles(files: ReadonlyMap<string, Uint8Array>, folder: string): readonly string[] {
  const texts = [...files].filter(([path]) => path.endsWith('.tex')).map(([, bytes]) => latin1(bytes))
  const names = texts.flatMap((text) => [...text.matchAll(/\\include\s*\{([\w./ -]+)\}/g)])
  return names.flatMap(([, name = '']) => toWorkspacePath(name.trim(), folder) ?? [])
}
