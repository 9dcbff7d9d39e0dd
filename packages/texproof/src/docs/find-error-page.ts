import { commandPages } from './error-pages/commands.ts'
import { fileAndReferencePages } from './error-pages/files-and-references.ts'
import { layoutPages } from './error-pages/layout.ts'
import { mathAndTablePages } from './error-pages/math-and-tables.ts'
import { structurePages } from './error-pages/structure.ts'
import type { ErrorPage } from './error-pages/types.ts'

/** A family of problems, in the order in which the documentation lists them. */
export interface ErrorFamily {
  readonly title: string
  readonly pages: readonly ErrorPage[]
}

/** What the documentation says about every kind of problem that has a name. */
export const errorFamilies: readonly ErrorFamily[] = [
  { title: 'Commands and packages', pages: commandPages },
  { title: 'Braces and environments', pages: structurePages },
  { title: 'Math, tables and signs', pages: mathAndTablePages },
  { title: 'Files, labels and citations', pages: fileAndReferencePages },
  { title: 'Lines, pages and fonts', pages: layoutPages },
]

const byCode = new Map(errorFamilies.flatMap(({ pages }) => pages.map((page) => [page.code, page] as const)))

/** The page of a kind; null for what is no kind of problem. */
export function findErrorPage(code: string): ErrorPage | null {
  return byCode.get(code) ?? null
}
