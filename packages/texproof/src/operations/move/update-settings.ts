/** Names of documents in `.texproof.toml` and in the latexmkrc of the root folder, after a file or folder has moved. */
import { encodeSourceText, readSourceText } from '../../domain/text/source-text.ts'
import { editBuildSettings, readBuildSettings } from '../../papers/detect/edit-texproof-toml.ts'
import { CONFIGURATION_FILE } from '../../papers/detect/find-documents.ts'
import { movedPath } from './moved-path.ts'
import type { Move } from './moved-path.ts'

/** The text of a file, and how many names in it changed. */
interface UpdatedText {
  readonly text: string
  readonly count: number
}

/** A changed file. */
interface UpdatedFile {
  readonly bytes: Uint8Array
  readonly count: number
}

const SETTINGS_FILES = new Set([CONFIGURATION_FILE, 'latexmkrc', '.latexmkrc'])
/** Bounded repetitions: a malicious file must be read in linear time. */
const DEFAULT_FILES =
  /@default_files\s{0,99}=\s{0,99}(?:\([^()]{0,20000}\)|qw\s{0,9}[(/[{][^()/[\]{}]{0,20000}[)/\]}])/g

/** Whether the file can name documents. */
export function isSettingsFile(path: string): boolean {
  return SETTINGS_FILES.has(path)
}

/** The updated file; null if nothing changes, or the file cannot be read. */
export function updateSettings(path: string, bytes: Uint8Array, move: Move): UpdatedFile | null {
  const source = readSourceText(bytes)
  if (source === null) return null
  const { text, count } = path === CONFIGURATION_FILE ? updateToml(source, move) : updateLatexmkrc(source, move)
  return count === 0 ? null : { bytes: encodeSourceText(text, bytes), count }
}

function updateToml(source: string, move: Move): UpdatedText {
  const unchanged = { text: source, count: 0 }
  const read = readBuildSettings(source)
  if (read.kind === 'invalid') return unchanged
  const { documents, auto, timeout } = read.settings
  const moved = documents.map((document, at) => ({ ...document, at, root: movedName(document.root, move) }))
  const count = moved.filter(({ root, at }) => root !== documents[at]?.root).length
  const edited = editBuildSettings({ source, documents: moved, auto, timeout })
  return count === 0 || edited.kind === 'unsupported' ? unchanged : { text: edited.text, count }
}

/** Names without `.tex` stay without. */
function updateLatexmkrc(source: string, move: Move): UpdatedText {
  let count = 0
  const text = source.replaceAll(DEFAULT_FILES, (list) =>
    list.replaceAll(/[^\s'"(),[\]{}]{1,1000}/g, (name) => {
      const moved = name.endsWith('.tex') ? movedName(name, move) : movedName(`${name}.tex`, move).replace(/\.tex$/, '')
      if (moved !== name) count += 1
      return moved
    }),
  )
  return { text, count }
}

function movedName(name: string, move: Move): string {
  const plain = name.replace(/^\.\//, '')
  const moved = movedPath(plain, move)
  return moved === plain ? name : moved
}
