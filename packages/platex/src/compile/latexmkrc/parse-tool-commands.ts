/**
 * Reads the commands for Biber and for indexes from a latexmkrc without running it: the file is Perl.
 *
 * Understood are assignments of one string: `$biber = 'biber -l zh__pinyin %O %S';`. The document controls these words: the
 * planners of the tools accept only some options.
 */
import { tokenizePerl } from './tokenize-perl.ts'

/** Words of a command, the program first; null if the project sets none. */
export interface ToolCommands {
  readonly biber: readonly string[] | null
  readonly makeindex: readonly string[] | null
}

/** The commands of a project without a latexmkrc. */
export const NO_TOOL_COMMANDS: ToolCommands = { biber: null, makeindex: null }

const MAX_WORDS = 40
/** `%O` stands for the options of latexmk, `%S` and others for names of files. */
const PLACEHOLDER = /^["']?%[A-Z]["']?$/

/** As in Perl, the last assignment counts. */
export function parseToolCommands(source: string): ToolCommands {
  const tokens = tokenizePerl(source)
  const lastOf = (variable: string): readonly string[] | null => {
    const at = tokens.findLastIndex(({ kind, text }, index) => {
      const [equals, value, end] = tokens.slice(index + 1, index + 4)
      return (
        kind === 'word' && text === variable && equals?.text === '=' && value?.kind === 'string' && end?.text === ';'
      )
    })
    return at === -1 ? null : wordsOf(tokens[at + 2]?.text ?? '')
  }
  return { biber: lastOf('$biber'), makeindex: lastOf('$makeindex') }
}

function wordsOf(command: string): readonly string[] | null {
  const words = command.split(/\s+/).filter((word) => word !== '' && !PLACEHOLDER.test(word))
  return words.length === 0 ? null : words.slice(0, MAX_WORDS)
}
