import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Icons of the Lucide set, by their names there. */
const NAMES = [
  'archive',
  'book-open',
  'calendar',
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
  'file-chart-column',
  'file-code',
  'file-image',
  'file-text',
  'folder-git-2',
  'library',
  'table-2',
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

/** The contents of an icon's `<svg>`. */
export function iconDrawing(name: IconName): string {
  return drawings.get(name) ?? ''
}

/** @throws if the set lacks one of the names. */
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
