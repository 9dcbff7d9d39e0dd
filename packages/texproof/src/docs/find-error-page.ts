import { commandPages } from './error-pages/commands.ts'
import { definitionAndPackagePages } from './error-pages/definitions-and-packages.ts'
import { fileAndReferencePages } from './error-pages/files-and-references.ts'
import { layoutPages } from './error-pages/layout.ts'
import { mathAndTablePages } from './error-pages/math-and-tables.ts'
import { structurePages } from './error-pages/structure.ts'
import type { ErrorPage } from './error-pages/types.ts'

/** A group of problems, in the order of the documentation. */
export interface ErrorFamily {
  readonly title: string
  readonly pages: readonly ErrorPage[]
}

/** The documentation of every named kind of problem. */
export const errorFamilies: readonly ErrorFamily[] = [
  { title: 'Commands and packages', pages: commandPages },
  { title: 'Definitions, pictures and styles', pages: definitionAndPackagePages },
  { title: 'Braces and environments', pages: structurePages },
  { title: 'Math, tables and symbols', pages: mathAndTablePages },
  { title: 'Files, labels and citations', pages: fileAndReferencePages },
  { title: 'Lines, pages and fonts', pages: layoutPages },
]

const byCode = new Map(errorFamilies.flatMap(({ pages }) => pages.map((page) => [page.code, page] as const)))

/** The page of a kind of problem; null if the kind is unknown. */
export function findErrorPage(code: string): ErrorPage | null {
  return byCode.get(code) ?? null
}
