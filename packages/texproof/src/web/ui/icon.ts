import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { html, raw } from 'hono/html'

import type { Html } from './html.ts'

/** Icons of the Lucide set by its own names; only those listed here reach a page. */
const NAMES = [
  'archive',
  'book-open',
  'check',
  'chevron-down',
  'chevron-left',
  'chevron-right',
  'chevron-up',
  'contrast',
  'copy',
  'download',
  'ellipsis',
  'eye',
  'file',
  'file-text',
  'folder',
  'git-branch',
  'git-compare',
  'hammer',
  'key',
  'link',
  'list',
  'lock',
  'log-out',
  'minus',
  'monitor',
  'moon',
  'pencil',
  'plus',
  'search',
  'settings',
  'share-2',
  'shield',
  'star',
  'sun',
  'tag',
  'triangle-alert',
  'user',
  'users',
  'x',
] as const

export type IconName = (typeof NAMES)[number]

const drawings = readDrawings()

/** An icon in the colour and size of the text around it; it says nothing by itself, so a word must stand beside it. */
export function icon(name: IconName): Html {
  return html`<svg class="icon" viewBox="0 0 24 24" width="16" height="16" aria-hidden="true">
    ${raw(drawings.get(name) ?? '')}
  </svg>`
}

/** @throws when the set lacks one of the names. */
function readDrawings(): ReadonlyMap<string, string> {
  const file = fileURLToPath(import.meta.resolve('@iconify-json/lucide/icons.json'))
  const set = JSON.parse(readFileSync(file, 'utf8')) as { readonly icons: Record<string, { readonly body: string }> }
  return new Map(
    NAMES.map((name) => {
      const drawing = set.icons[name]
      if (drawing === undefined) throw new Error(`The icon set has no "${name}".`)
      return [name, drawing.body]
    }),
  )
}
