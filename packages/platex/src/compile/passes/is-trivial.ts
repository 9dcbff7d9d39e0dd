/**
 * Decides whether one pass is enough.
 *
 * A CV or a plain article leaves an `.aux` that does not affect the next pass; latexmk still runs it twice. The rule is
 * narrow on purpose: anything unknown causes a second pass, and a test over the whole corpus compares the PDF with the PDF
 * after one more pass.
 */
/** The relevant output of a first pass. */
export interface FirstPass {
  /** Canonical text of each relevant `.aux`. */
  readonly auxTexts: readonly string[]
  /** Other relevant files that the pass wrote. */
  readonly otherFiles: readonly string[]
  /** Files that TeX did not find. */
  readonly missed: readonly string[]
  /** True if nothing in the log requires another pass or a tool. */
  readonly isContent: boolean
  /** The text files of the job, read only if everything else is trivial. */
  readonly sources: Iterable<string> | AsyncIterable<string>
}

/** Only documents that contain one of these names read the page count. */
const ASKS_FOR_TOTAL = /\\PreviousTotalPages|@abspage@last/

const WITHOUT_EFFECT = /^(?:\\gdef ?\\@abspage@last\{\d+\}|\\providecommand\b.*|\\babel@aux\{[^{}]*\}\{\})$/

export async function isTrivial(pass: FirstPass): Promise<boolean> {
  if (pass.otherFiles.length > 0 || pass.missed.some((name) => !name.endsWith('.aux'))) return false
  if (!pass.auxTexts.every(isWithoutEffect) || !pass.isContent) return false
  for await (const source of pass.sources) if (ASKS_FOR_TOTAL.test(source)) return false
  return true
}

function isWithoutEffect(auxText: string): boolean {
  return auxText.split('\n').every((line) => {
    const bare = line.trim()
    return bare === '' || bare === '\\relax' || (WITHOUT_EFFECT.test(bare) && !bare.includes('HyPL@Entry'))
  })
}
