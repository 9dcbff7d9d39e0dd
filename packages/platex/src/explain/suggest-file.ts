import { closest } from './closest.ts'

/**
 * A sentence that suggests a file of the project for a name that was not found: the same name in another case or another
 * folder, or one with a small difference. Null if there is no such file, or more than one.
 */
export function suggestFile(name: string, files: ReadonlySet<string>): string | null {
  const paths = [...files].filter((path) => path !== name && isSource(path) === isSource(name))
  const wanted = stem(name)
  const sameButCase = only(paths.filter((path) => isSame(path, name) || isSame(stem(path), wanted)))
  if (sameButCase !== null) return `The file is called ${sameButCase}: upper and lower case matter.`
  const elsewhere = only(paths.filter((path) => base(path) === base(name) || stem(base(path)) === stem(base(name))))
  if (elsewhere !== null) return `Did you mean ${elsewhere}? Write the path with its folder.`
  const elsewhereButCase = only(
    paths.filter((path) => isSame(base(path), base(name)) || isSame(stem(base(path)), stem(base(name)))),
  )
  if (elsewhereButCase !== null)
    return `Did you mean ${elsewhereButCase}? Write the path with its folder, in the same case.`
  const near = closest(wanted, new Set(paths.map(stem)))
  const meant = near === null ? null : only(paths.filter((path) => stem(path) === near))
  return meant === null ? null : `Did you mean ${meant}?`
}

function isSame(left: string, right: string): boolean {
  return left !== right && left.toLowerCase() === right.toLowerCase()
}

/** LaTeX adds `.tex` to the names in its messages, so any other name is a picture, data or code. */
function isSource(path: string): boolean {
  return /\.(?:tex|ltx)$/i.test(path)
}

function only(paths: readonly string[]): string | null {
  return paths.length === 1 ? (paths[0] ?? null) : null
}

function base(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Path without the extension, which documents usually omit. */
function stem(path: string): string {
  return path.replace(/^\.\//, '').replace(/\.[A-Za-z0-9]{1,5}$/, '')
}
