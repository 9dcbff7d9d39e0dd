import { closest } from './closest.ts'

/**
 * The file of the tree that a wrong name surely meant, said in a sentence: the same but for case, the same in another
 * folder, or one that is hardly spelt otherwise. Null when there is none, or more than one.
 */
export function suggestFile(name: string, files: ReadonlySet<string>): string | null {
  const paths = [...files]
  const wanted = stem(name)
  const sameButCase = only(paths.filter((path) => isSame(path, name) || isSame(stem(path), wanted)))
  if (sameButCase !== null) return `The file is called ${sameButCase}: upper and lower case matter.`
  const elsewhere = only(paths.filter((path) => base(path) === base(name) || stem(base(path)) === stem(base(name))))
  if (elsewhere !== null) return `Did you mean ${elsewhere}? Write the path with its folder.`
  const near = closest(wanted, new Set(paths.map(stem)))
  const meant = near === null ? null : only(paths.filter((path) => stem(path) === near))
  return meant === null ? null : `Did you mean ${meant}?`
}

function isSame(left: string, right: string): boolean {
  return left !== right && left.toLowerCase() === right.toLowerCase()
}

function only(paths: readonly string[]): string | null {
  return paths.length === 1 ? (paths[0] ?? null) : null
}

function base(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Without the extension, which documents mostly leave away. */
function stem(path: string): string {
  return path.replace(/^\.\//, '').replace(/\.[A-Za-z0-9]{1,5}$/, '')
}
