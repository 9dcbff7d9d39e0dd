/** One rule for each kind of message: a pattern, and its explanation. The first match wins. */
import { CLASS_RULES } from './rules/classes.ts'
import { CHARACTER_RULES } from './rules/characters.ts'
import { CONFLICT_RULES } from './rules/conflicts.ts'
import { DEFINITION_RULES } from './rules/definitions.ts'
import { DOCUMENT_RULES } from './rules/document.ts'
import { FONT_RULES } from './rules/fonts.ts'
import { FRAME_RULES } from './rules/frames.ts'
import { MATH_RULES } from './rules/math.ts'
import { MISSING_RULES } from './rules/missing.ts'
import { PACKAGE_OPTION_RULES } from './rules/package-options.ts'
import { PACKAGE_RULES } from './rules/packages.ts'
import { PICTURE_RULES } from './rules/pictures.ts'
import { PROGRAMMING_RULES } from './rules/programming.ts'
import { TABLE_RULES } from './rules/tables.ts'
import { TOOL_RULES } from './rules/tools.ts'
import { UNCLOSED_RULES } from './rules/unclosed.ts'
import { UNKNOWN_NAME_RULES } from './rules/unknown-names.ts'
import type { Rule } from './types.ts'

/** The order counts: special messages come before the general ones that contain them. */
export const RULES: readonly Rule[] = [
  ...CONFLICT_RULES,
  ...FRAME_RULES,
  ...PACKAGE_OPTION_RULES,
  ...PICTURE_RULES,
  ...CLASS_RULES,
  ...PROGRAMMING_RULES,
  ...FONT_RULES,
  ...MISSING_RULES,
  ...UNCLOSED_RULES,
  ...TABLE_RULES,
  ...UNKNOWN_NAME_RULES,
  ...CHARACTER_RULES,
  ...DOCUMENT_RULES,
  ...MATH_RULES,
  ...TOOL_RULES,
  ...DEFINITION_RULES,
  ...PACKAGE_RULES,
]
