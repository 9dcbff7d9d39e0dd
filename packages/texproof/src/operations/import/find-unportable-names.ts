import { shorten } from '@texproof/platex/tar'

/** A file or folder that is imported, but that some systems cannot check out. */
export interface UnportableName {
  readonly path: string
  readonly reason: string
}

/** Names of devices, with any extension. */
const DEVICE_NAME = /^(?:con|prn|aux|nul|(?:com|lpt)[\d¹²³])(?:\.|$)/i
const WINDOWS_CHARACTER = /[<>:"|?*]/

/** Finds the names that Windows or macOS cannot check out, or cannot distinguish from other names. */
export function findUnportableNames(paths: Iterable<string>): readonly UnportableName[] {
  const spellings = new Map<string, string>()
  const found = new Map<string, string>()
  for (const path of [...paths].flatMap(withFolders)) {
    const folded = path.toLowerCase()
    const spelling = spellings.get(folded) ?? path
    spellings.set(folded, spelling)
    const reason =
      spelling === path
        ? findNameProblem(path.slice(path.lastIndexOf('/') + 1))
        : `Windows and macOS do not distinguish it from "${shorten(spelling)}"`
    if (reason !== null) found.set(path, reason)
  }
  return [...found].map(([path, reason]) => ({ path: shorten(path), reason }))
}

function findNameProblem(name: string): string | null {
  if (DEVICE_NAME.test(name)) return 'Windows reserves this name'
  const [character] = WINDOWS_CHARACTER.exec(name) ?? []
  if (character !== undefined) return `Windows does not allow ${character} in a name`
  return name.endsWith('.') ? 'Windows does not allow a dot at the end of a name' : null
}

/** `a/b/c` → `a`, `a/b`, `a/b/c`. */
function withFolders(path: string): readonly string[] {
  const names = path.split('/')
  return names.map((_, index) => names.slice(0, index + 1).join('/'))
}
