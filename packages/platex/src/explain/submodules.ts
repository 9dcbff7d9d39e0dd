/** Submodules of a git repository: folders whose files another repository contains, so that a project lacks them. */
import type { Explanation } from './types.ts'

const PATH = /^[^\S\n]{0,99}path[^\S\n]{0,99}=([^\n]{1,4096})$/gm

/** The folders that the file `.gitmodules` names. */
export function listSubmodules(gitmodules: string): readonly string[] {
  return [...gitmodules.matchAll(PATH)].map(([, path = '']) => path.trim().replace(/^"(.*)"$/, '$1'))
}

/** Explains that a missing file belongs to a submodule; null if it does not. */
export function explainSubmodule(name: string, submodules: ReadonlySet<string>): Explanation | null {
  const parts = name.replace(/^(?:\.{1,2}\/)+/, '').split('/')
  const folders = parts.slice(0, -1).map((_, at) => parts.slice(0, at + 1).join('/'))
  const folder = folders.find((path) => submodules.has(path))
  if (folder === undefined) return null
  return {
    summary: `The file "${name}" was not found.`,
    remedy: `The folder ${folder} is a git submodule, which builds do not fetch. Commit its files to this repository.`,
  }
}
