/**
 * Notes that the log parser puts before the context of an error if it found the mistake in the source, as in
 * `locate/find-formula-mistake.ts`: TeX's own message does not name it.
 */
export const HIDDEN_BRACE_NOTE = 'Here "%" begins a comment that contains the missing "}".'
export const OPEN_BRACE_NOTE = 'Here a "{" is not closed.'
export const OPEN_FORMULA_NOTE = 'Here a formula begins that is not closed.'
export const DOLLAR_NOTE = 'Here is a "$" inside the formula.'
export const ABSENT_ARGUMENT_NOTE = 'An argument is missing:'
export const DEFINED_TABLE_NOTE = 'A definition contains \\begin{tabularx}.'
export const FRAGILE_NOTE = 'This frame is not fragile.'
export const FRAGILE_END_NOTE = 'This frame is fragile, and its end is not alone on the line.'
export const OPEN_FRAME_NOTE = 'This frame is open where another one begins:'
export const CUT_LUA_NOTE = 'Here "%" hides the rest of a line of Lua.'
export const AUTHORS_NOTE = 'Here "&" is in \\author.'
export const HIDDEN_ROW_NOTE = 'Here "%" hides the end of a row.'
export const FORMULA_CELL_NOTE = 'Here "&" is in a formula without columns:'
export const BAD_NAME_NOTE = 'The name of a command contains a special character:'
export const MISSPELLED_END_NOTE = 'The end is written differently:'
export const OPEN_IN_PICTURE_NOTE = 'In this picture, a bracket is not closed:'
export const UNENDED_IN_PICTURE_NOTE = 'An environment in the picture is not ended:'
export const SPLIT_CHARACTER_NOTE = 'The sources are valid UTF-8: a command split this character into its bytes.'
export const OLD_MATRIX_NOTE = 'Without amsmath, this is an old command:'
export const EMPTY_FILE_NOTE = 'This file is empty.'
