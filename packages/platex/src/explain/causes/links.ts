/** Links between an error and an earlier one, of all subjects. */
import type { LatexError } from '../../base/types.ts'
import { isAfterBlankLine } from './cut-formulas.ts'
import { isAfterExpl3, isOfBadName, isOfDefinedHash } from './definitions.ts'
import { ENVIRONMENT_LINKS } from './environments.ts'
import { FILE_LINKS, isInWideFile, isWithoutDatabase } from './files.ts'
import { isFollowerOfCode } from './followers-of-codes.ts'
import { FONT_LINKS } from './fonts.ts'
import { FORMULA_LINKS } from './formulas.ts'
import { LIST_LINKS } from './lists.ts'
import { isAfterOpenFrame, isInSameFrame } from './listings.ts'
import { PACKAGE_LINKS } from './packages.ts'
import { PICTURE_LINKS } from './pictures.ts'
import { RECOVERY_LINKS } from './recovery.ts'
import { TABLE_LINKS } from './tables.ts'
import type { Link, ReadText } from './types.ts'

/** One link is enough, so the order does not count. */
const ENGINE_LINKS: readonly Link[] = [
  isFollowerOfCode,
  isAfterBlankLine,
  isAfterExpl3,
  isOfBadName,
  isOfDefinedHash,
  isAfterOpenFrame,
  isInSameFrame,
  ...ENVIRONMENT_LINKS,
  ...FILE_LINKS,
  ...FONT_LINKS,
  ...FORMULA_LINKS,
  ...LIST_LINKS,
  ...PACKAGE_LINKS,
  ...PICTURE_LINKS,
  ...RECOVERY_LINKS,
  ...TABLE_LINKS,
]

/** BibTeX, biber, makeindex and similar programs recover from few errors. */
const TOOL_LINKS: readonly Link[] = [isInWideFile, isWithoutDatabase]

/** Whether any link connects the two. Errors of different programs are never linked. */
export function isLinked(error: LatexError, cause: LatexError, readText: ReadText): boolean {
  if (error.source !== cause.source) return false
  const links = error.source === 'latex' ? ENGINE_LINKS : TOOL_LINKS
  return links.some((link) => link(error, cause, readText))
}
