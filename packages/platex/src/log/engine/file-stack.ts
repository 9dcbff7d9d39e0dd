/**
 * Which file TeX is reading at each point of a log.
 *
 * TeX prints `(name` when it opens a file and `)` when it is done, but documents and packages print parentheses too.
 * A `(` counts only before the name of a file; any other is text and is expected to close on its own line. A `)`
 * first closes such text; what is left over closes a file where TeX could have printed it: at the start of a line or
 * after a space, a bracket or the name itself. Keeping text parentheses across lines, or letting every `)` close a
 * file, gives wrong files in most real documents.
 */

import type { FileNames } from './file-names.ts'

export interface OpenFile {
  /** File name as printed by TeX. */
  readonly name: string
  /** The user's own file, or null for a file of TeX or one that TeX wrote. */
  readonly user: string | null
}

export interface FileStack {
  /** Follows the parentheses of one line, or of the rest of one. */
  readonly scan: (text: string) => void
  /** Makes `name` the file being read, because a message names it. */
  readonly settleOn: (name: string) => void
  readonly position: () => FilePosition
}

/** The files that were open when a message was printed. */
export interface FilePosition {
  readonly top: OpenFile | null
  /** The user's file nearest to the top; the root file when none is open. */
  readonly userFile: string
  /** The file that the user's file was loading, or null when TeX was in the user's file itself. */
  readonly loaded: OpenFile | null
  /** The user's file that closed last on the line of the message or just before it. */
  readonly lastClosed: string | null
  /** Open files of the user, nearest first. */
  readonly userFiles: readonly string[]
}

/** More than TeX can open. A document can print any number of names, and each message reads the whole stack. */
const MAX_OPEN = 500

/** Starts with no file open. */
export function createFileStack(names: FileNames): FileStack {
  const open: OpenFile[] = []
  let lastClosed: string | null = null

  function scan(text: string): void {
    if (!text.includes('(') && !text.includes(')')) return
    let textParentheses = 0
    let endOfName = -1
    for (let at = 0; at < text.length; at += 1) {
      const character = text[at]
      if (character === '(') {
        const found = names.readAt(text, at + 1)
        if (found === null) textParentheses += 1
        else {
          push(found.name)
          endOfName = found.end
          at = found.end - 1
        }
      } else if (character === ')') {
        if (textParentheses > 0) textParentheses -= 1
        else if (at === endOfName || closesFile(text, at)) pop()
      }
    }
  }

  function closesFile(text: string, at: number): boolean {
    const before = text[at - 1]
    if (before === undefined || ' )]}>"'.includes(before)) return true
    // A package may leave its line unfinished, as in `Xy-pic loaded) Xy-pic`; a paper that prints `:-)` keeps its file.
    const top = open[open.length - 1]
    return top !== undefined && names.isOfSystem(top.name) && /^(?:$|[()[ ])/.test(text.slice(at + 1, at + 2))
  }

  function push(name: string): void {
    open.push({ name, user: names.userFile(name) })
    if (open.length > MAX_OPEN) open.shift()
  }

  function pop(): void {
    const closed = open.pop()
    if (closed !== undefined && closed.user !== null) lastClosed = closed.user
  }

  function settleOn(name: string): void {
    const user = names.userFile(name)
    const depth = open.findLastIndex((file) => (user === null ? file.name === name : file.user === user))
    if (depth >= 0) open.length = depth + 1
    else open.push({ name, user })
  }

  function position(): FilePosition {
    const depth = open.findLastIndex((file) => file.user !== null)
    const userFiles = open.flatMap((file) => file.user ?? []).toReversed()
    return {
      top: open[open.length - 1] ?? null,
      userFile: open[depth]?.user ?? names.rootFile,
      loaded: open[depth + 1] ?? null,
      lastClosed,
      userFiles,
    }
  }

  return { scan, settleOn, position }
}
