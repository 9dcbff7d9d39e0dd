/** The files that a search of the project has found, and what a replacement has changed in them. */
import { button, make, plural } from './elements.browser.ts'
import type { ProjectEditor } from './project-edits.browser.ts'

interface Match {
  readonly line: number
  readonly before: string
  readonly matched: string
  readonly after: string
  readonly replacement: string
}

export interface FoundFile {
  readonly path: string
  readonly version: string
  readonly count: number
  readonly matches: readonly Match[]
}

export interface Found {
  readonly files: readonly FoundFile[]
  readonly isLimited: boolean
  readonly isComplete: boolean
}

export interface Replaced {
  readonly files: readonly { readonly path: string; readonly count: number; readonly outcome: string }[]
}

/** Why a file was not changed. */
const REFUSALS: Readonly<Record<string, string>> = {
  conflict: 'has changed: review its matches again',
  'too-long': 'would be larger than 1 MB',
  'too-many-drafts': 'was not changed, because you have too many drafts: commit or discard some',
}

interface FileView {
  readonly isChosen: boolean
  readonly hasReplacement: boolean
  readonly toggle: (path: string, isChosen: boolean) => void
  readonly open: ProjectEditor['openPlace']
}

/** A file with its matches, and a checkbox that excludes it. */
export function fileItem({ path, count, matches }: FoundFile, { isChosen, hasReplacement, toggle, open }: FileView) {
  const box = make('input', { type: 'checkbox', checked: isChosen })
  box.addEventListener('change', () => toggle(path, box.checked))
  const label = make('label', {})
  label.append(box, ` ${path} `, make('span', { className: 'quiet', textContent: plural(count, 'match', 'matches') }))
  const lines = make('ul', {})
  lines.append(
    ...matches.map((match) => {
      const line = button('', 'plain-button')
      line.append(
        make('span', { className: 'quiet', textContent: String(match.line) }),
        ' ',
        ...matchText(match, hasReplacement),
      )
      line.addEventListener('click', () => open({ path, line: match.line }))
      const item = document.createElement('li')
      item.append(line)
      return item
    }),
  )
  if (count > matches.length)
    lines.append(make('li', { className: 'quiet', textContent: `and ${count - matches.length} more` }))
  const item = document.createElement('li')
  item.append(label, lines)
  return item
}

/** The line of a match, with what replaces it. */
function matchText({ before, matched, after, replacement }: Match, hasReplacement: boolean): (Node | string)[] {
  const code = document.createElement('code')
  const visible = matched.replaceAll('\n', '↵')
  code.append(
    before,
    ...(hasReplacement
      ? [make('del', { textContent: visible }), make('ins', { textContent: replacement.replaceAll('\n', '↵') })]
      : [make('mark', { textContent: visible })]),
    after,
  )
  return [code]
}

/** Matches in all files. */
export function countMatches(files: readonly FoundFile[]): number {
  return files.reduce((sum, { count }) => sum + count, 0)
}

/** The message above the files. */
export function summary({ files, isLimited, isComplete }: Found): string {
  const count = countMatches(files)
  const unread = isComplete ? '' : ' Not all files were searched: the branch is too large.'
  if (count === 0) return `No matches.${unread}`
  const more = isLimited ? ' There may be more: refine the search.' : ''
  return `${plural(count, 'match', 'matches')} in ${plural(files.length, 'file', 'files')}.${more}${unread}`
}

/** What a replacement has changed, and what it has not. */
export function describe({ files }: Replaced, verb: 'Deleted' | 'Replaced'): string {
  const saved = files.filter(({ outcome }) => outcome === 'saved')
  const count = saved.reduce((sum, file) => sum + file.count, 0)
  const failed = files
    .filter(({ outcome }) => outcome !== 'saved')
    .map(({ path, outcome }) => `${path} ${REFUSALS[outcome] ?? 'was not changed'}.`)
  const done =
    saved.length === 0
      ? []
      : [
          `${verb} ${plural(count, 'match', 'matches')} in ${plural(saved.length, 'draft', 'drafts')}.`,
          'To undo, discard the drafts. This also discards earlier changes in them that are not committed.',
        ]
  return [...done, ...failed].join(' ')
}
