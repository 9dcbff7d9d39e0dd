/** Removes to-do notes for co-authors: notes of todonotes, of fixme, and of commands that a document defines with them. */
import { findGroupEnd, splitSource } from './split-source.ts'

const NOTES = ['todo', 'missingfigure', 'fxnote', 'fxwarning', 'fxerror', 'fxfatal'] as const
/** Lists of notes, which are commands without an argument. */
const LISTS = new Set(['listoftodos', 'listoffixmes', 'todototoc'])
const NOTE = new RegExp(String.raw`\\(?:${NOTES.join('|')})(?![A-Za-z])`)
const COMMAND = /(?<!\\)\\([A-Za-z]{1,30})\*?/g
/** A command with one required argument, and perhaps an optional one. */
const DEFINITION =
  /\\(?:new|renew|provide|DeclareRobust)[cC]ommandx?\*?\s{0,9}\{?\\([A-Za-z]{1,30})\}?\s{0,9}(?:\[1\]|\[2\]\s{0,9}\[[^\]]{0,200}\])\s{0,9}(?=\{)/g
const MAX_DEFINITIONS = 200

/** Names of the commands that write notes, with those that sources define, as `\newcommand{\alice}[1]{\todo{#1}}`. */
export function findNoteCommands(sources: Iterable<string>): ReadonlySet<string> {
  const names = new Set<string>(NOTES)
  for (const source of sources) {
    for (const { index, 0: head, 1: name = '' } of [...source.matchAll(DEFINITION)].slice(0, MAX_DEFINITIONS)) {
      const open = index + head.length
      const end = findGroupEnd(source, open)
      if (end !== null && NOTE.test(source.slice(open, end))) names.add(name)
    }
  }
  return names
}

/**
 * Removes notes. A note that has a line of its own takes the line with it: an empty one would end the paragraph. The
 * package of the notes stays loaded; it prints nothing.
 */
export function stripNotes(
  source: string,
  {
    commands,
    verbatimEnvironments,
  }: { readonly commands: ReadonlySet<string>; readonly verbatimEnvironments: ReadonlySet<string> },
): string {
  const code = splitSource(source, verbatimEnvironments).filter(({ kind }) => kind === 'code')
  let stripped = ''
  let copied = 0
  for (const { text, start } of code) {
    for (const { index, 0: command, 1: name = '' } of text.matchAll(COMMAND)) {
      const at = start + index
      if (at < copied || !(commands.has(name) || LISTS.has(name)) || isDefined(source, at)) continue
      const end = findEnd(source, { start: at + command.length, hasArgument: !LISTS.has(name) })
      if (end === null) continue
      const [from, to] = withLine(source, Math.max(at, copied), end)
      stripped += source.slice(copied, Math.max(from, copied))
      copied = to
    }
  }
  return stripped + source.slice(copied)
}

/** Whether the command at `at` is the one that is defined there. */
function isDefined(source: string, at: number): boolean {
  return /\\(?:new|renew|provide|DeclareRobust)[cC]ommandx?\*?\s{0,9}\{?$|\\(?:let|def)\s{0,9}$/.test(
    source.slice(Math.max(0, at - 60), at),
  )
}

/** The end of the options and the argument; null without an argument. */
function findEnd(
  source: string,
  { start, hasArgument }: { readonly start: number; readonly hasArgument: boolean },
): number | null {
  const options = /^(?:\s{0,9}\[(?:[^\][{}]|\{[^{}]{0,200}\}){0,400}\]){0,3}/.exec(source.slice(start, start + 1_300))
  const end = start + (options?.[0].length ?? 0)
  if (!hasArgument) return end
  const gap = /^\s{0,9}/.exec(source.slice(end, end + 9))?.[0].length ?? 0
  return source[end + gap] === '{' ? findGroupEnd(source, end + gap) : null
}

/** The range with its line, if nothing else is in the line. */
function withLine(source: string, from: number, to: number): readonly [from: number, to: number] {
  const lineStart = source.lastIndexOf('\n', from - 1) + 1
  const lineEnd = source.indexOf('\n', to)
  const before = source.slice(lineStart, from)
  const after = source.slice(to, lineEnd === -1 ? source.length : lineEnd)
  // Longer lines are text.
  const isAlone = before.length < 200 && after.length < 200 && before.trim() === '' && after.trim() === ''
  return isAlone && lineEnd !== -1 ? [lineStart, lineEnd + 1] : [from, to]
}
