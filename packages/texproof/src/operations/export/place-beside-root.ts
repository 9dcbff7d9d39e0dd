import { posix } from 'node:path'

import type { BuildPackageInput } from './build-package.ts'

type Files = ReadonlyMap<string, Uint8Array>

/** Files of a package, with their paths in the project where these are different. */
interface Placed {
  readonly files: Files
  readonly written: Files
  readonly drawn: Files
  readonly originals: ReadonlyMap<string, string>
}

const READ_BY_TEX = /\.(?:tex|ltx|latex|sty|cls|def|cfg)$/i
/** The converted picture of a name stays beside the picture. */
const ENDING = /(?:-eps-converted-to)?\.[^./]*$/

/**
 * Moves the files that were found through search paths to where TeX finds them without: targets read no latexmkrc.
 * Files that the sources name with their folders stay.
 */
export function placeBesideRoot({ files, written, drawn, rootFile, searchPaths }: BuildPackageInput): Placed {
  if (searchPaths.length === 0) return { files, written, drawn, originals: new Map() }
  const folder = posix.dirname(rootFile)
  const texts = [...files].filter(([path]) => READ_BY_TEX.test(path)).map(([, bytes]) => Buffer.from(bytes).toString())
  const isNamed = (name: string): boolean => texts.some((text) => containsName(text, name.replace(ENDING, '')))
  const taken = new Set([...files.keys(), ...written.keys()])
  const originals = new Map<string, string>()

  const place = (path: string): string => {
    const current = posix.relative(folder, path)
    if (isNamed(current)) return path
    const names = searchPaths.flatMap((entry) => namesThrough(posix.join(folder, entry), path))
    const name = names.find((one) => one.includes('/') && isNamed(one)) ?? names.at(-1)
    const to = name === undefined ? path : posix.join(folder, name)
    if (to === path || taken.has(to)) return path
    taken.add(to)
    originals.set(to, path)
    return to
  }
  const moved = new Map([...taken].map((path) => [path, place(path)]))
  const renamed = (all: Files): Files => new Map([...all].map(([path, bytes]) => [moved.get(path) ?? path, bytes]))
  return { files: renamed(files), written: renamed(written), drawn: renamed(drawn), originals }
}

/** The names that a folder of a search path gives to a file, longest first; `folder` ends in a slash if it is searched whole. */
function namesThrough(folder: string, path: string): readonly string[] {
  const start = folder === './' || folder === '.' ? '' : `${folder.replace(/\/$/, '')}/`
  if (!path.startsWith(start)) return []
  const name = path.slice(start.length)
  const parts = name.split('/')
  return folder.endsWith('/') ? parts.map((_, at) => parts.slice(at).join('/')) : [name]
}

/** Whether the text contains the name, not as the beginning of a longer one. */
function containsName(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1))
    if (!/^[\w-]/.test(text.slice(at + name.length, at + name.length + 1))) return true
  return false
}
