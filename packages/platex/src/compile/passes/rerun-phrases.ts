/**
 * What packages print when they want another pass.
 *
 * Such words never decide alone: biblatex repeats them for ever after a failed biber, and long tables of contents change
 * without any word. They name the reason, forbid the one-pass short cut, and cause at most one pass where the files say
 * nothing.
 */
const WANTS_A_PASS =
  /Rerun to get|Rerun LaTeX|[Pp]lease rerun LaTeX|rerun LaTeX|Label\(s\) may have changed|Table widths have changed|File [^\n]{0,300} has changed\.|Temporary extra page added|reprocess this file|Rerun for|Citation\(s\) may have changed|totpages[^\n]{0,300}rerun/

const WANTS_A_TOOL = /Please \(re\)run (?:Biber|BibTeX)|Using fall-back BibTeX/

const IS_UNDEFINED = /(?:Reference|Citation) [`'][^\n]{0,300} undefined|There were undefined (?:references|citations)/g

/** The first words in a log that ask for another engine pass, or null. */
export function findRerunPhrase(logText: string): string | null {
  return WANTS_A_PASS.exec(logText)?.[0] ?? null
}

/** True when nothing in the log asks for anything more: no pass, no tool, no reference. */
export function isContent(logText: string): boolean {
  return !WANTS_A_PASS.test(logText) && !WANTS_A_TOOL.test(logText) && countUndefined(logText) === 0
}

/** References and citations that a pass could not resolve. */
export function countUndefined(logText: string): number {
  return [...logText.matchAll(IS_UNDEFINED)].length
}
