/** Packages, classes and bibliography styles that the project contains, but TeX or BibTeX does not find. */
import type { Explanation } from './types.ts'

/**
 * Explains a missing package or class that the project contains in another folder, or only as its source `.dtx`; null if it
 * contains neither. `name`: with its extension.
 */
export function explainOwnPackage(name: string, files: ReadonlySet<string>): Explanation | null {
  return explainFolder(name, files, 'TEXINPUTS') ?? explainSource(name, files)
}

/** Explains that a bibliography style is in another folder; null if it is not. */
export function explainOwnStyle(name: string, files: ReadonlySet<string>): Explanation | null {
  return explainFolder(name, files, 'BSTINPUTS')
}

function explainFolder(name: string, files: ReadonlySet<string>, variable: string): Explanation | null {
  const path = findByName(name, files)
  if (path === null) return null
  if (name.includes('/'))
    return {
      summary: `The file "${name}" was not found.`,
      remedy: `Did you mean ${withoutExtension(path)}? Write the path from the folder of the document.`,
    }
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  return {
    summary: `The file ${name} is in ${folder === '' ? 'the root folder' : `the folder ${folder}`}, where TeX does not look.`,
    remedy: `Move it to the folder of the document, or add its folder in a file latexmkrc: ensure_path('${variable}', './${folder}');`,
  }
}

/** Packages are published as a `.dtx` file, from which TeX extracts them. */
function explainSource(name: string, files: ReadonlySet<string>): Explanation | null {
  const source = findByName(`${withoutExtension(name)}.dtx`, files)
  if (source === null) return null
  return {
    summary: `The file ${name} does not exist: it is extracted from ${source}.`,
    remedy: `Extract it on your computer, usually with "tex ${withoutExtension(baseOf(source))}.ins", and add it to the project.`,
  }
}

/** The only file with this name in any folder; null if there is none, or more than one. */
function findByName(name: string, files: ReadonlySet<string>): string | null {
  const found = [...files].filter((path) => baseOf(path) === baseOf(name))
  return found.length === 1 ? (found[0] ?? null) : null
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function withoutExtension(path: string): string {
  return path.replace(/\.\w+$/, '')
}
