import { html } from 'hono/html'

import type { BuildProblem } from '../../domain/build.ts'
import type { PatchedFile, PatchHunk, PatchLine } from '../content/parse-patch.ts'
import { findWordChanges } from '../content/word-changes.ts'
import type { WordChange } from '../content/word-changes.ts'
import type { Html } from './html.ts'
import { marginNote } from './margin-note.ts'

/** Lines shown of one change, all files together: beyond it nobody reads a page. */
const MAX_LINES = 1_200

/** Characters of one line. */
const MAX_LINE_LENGTH = 2_000

const SIGNS: Readonly<Record<PatchLine['kind'], string>> = { kept: ' ', added: '+', removed: '−' }

/** Files in which a line is a paragraph, so that words are compared. */
const PROSE = /\.(?:tex|ltx|bib|md|txt|rst)$/i

/** What the build of the newer side complained of, and where the whole of it is told. */
export interface PatchProblems {
  readonly problems: readonly BuildProblem[]
  readonly build: { readonly href: string; readonly number: number }
}

/** A change, file by file: lines told by sign and colour, words of prose marked, problems under their lines. */
export function patchView(files: readonly PatchedFile[], found: PatchProblems | null = null): Html {
  let left = MAX_LINES
  const shown = files.map((file) => {
    const count = file.hunks.reduce((sum, { lines }) => sum + lines.length, 0)
    const fits = count <= left
    if (fits) left -= count
    return fileChange(file, { foldedLines: fits ? null : count, found })
  })
  return html`${shown}`
}

function fileChange(
  { oldPath, newPath, isBinary, hunks }: PatchedFile,
  { foldedLines, found }: { readonly foldedLines: number | null; readonly found: PatchProblems | null },
): Html {
  const isProse = PROSE.test(newPath ?? oldPath ?? '')
  const notes = (line: number | null): Html | '' => {
    const here =
      line === null ? [] : (found?.problems.filter((each) => each.file === newPath && each.line === line) ?? [])
    return here.length === 0 ? '' : html`${here.map((problem) => marginNote(problem, found?.build ?? null))}`
  }
  const name =
    oldPath === null || newPath === null || oldPath === newPath ? (newPath ?? oldPath) : `${oldPath} → ${newPath}`
  const state = oldPath === null ? 'added' : newPath === null ? 'removed' : oldPath === newPath ? 'changed' : 'renamed'
  return html`<section class="change">
    <h3>${name} <span class="quiet">${state}</span></h3>
    ${
      isBinary
        ? html`<p class="quiet">Not text.</p>`
        : foldedLines !== null
          ? html`<p class="quiet">${foldedLines} lines, too many to show here with the rest.</p>`
          : html`<table class="code">
              <thead class="visually-hidden">
                <tr>
                  <th scope="col">Old line</th>
                  <th scope="col">New line</th>
                  <th scope="col">Change</th>
                  <th scope="col">Text</th>
                </tr>
              </thead>
              <tbody>
                ${hunks.map((hunk) => hunkRows(hunk, { isProse, notes }))}
              </tbody>
            </table>`
    }
  </section>`
}

function hunkRows(
  { heading, lines }: PatchHunk,
  { isProse, notes }: { readonly isProse: boolean; readonly notes: (line: number | null) => Html | '' },
): Html {
  const changes = isProse ? findWordChanges(lines) : new Map<PatchLine, readonly WordChange[]>()
  return html`<tr class="hunk">
      <td colspan="4">${heading}</td>
    </tr>
    ${lines.map((line) => {
      const { kind, oldLine, newLine } = line
      return html`<tr class="${kind}">
        <td class="number">${oldLine ?? ''}</td>
        <td class="number">${newLine ?? ''}</td>
        <td class="sign">${SIGNS[kind]}</td>
        <td><code>${lineText(line, changes.get(line) ?? null)}</code>${notes(newLine)}</td>
      </tr>`
    })}`
}

function lineText({ kind, text }: PatchLine, words: readonly WordChange[] | null): Html | string {
  if (words === null) return cut(text === '' ? '\n' : text)
  return html`${words.map(({ text: part, isChanged }) =>
    !isChanged ? part : kind === 'added' ? html`<ins>${part}</ins>` : html`<del>${part}</del>`,
  )}`
}

/** A line of data may have megabytes. */
function cut(text: string): string {
  return text.length <= MAX_LINE_LENGTH
    ? text
    : `${text.slice(0, MAX_LINE_LENGTH)} … ${text.length - MAX_LINE_LENGTH} more`
}
