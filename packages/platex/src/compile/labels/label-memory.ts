/**
 * Labels of other documents that are kept for the next compile: their `.aux` files are warm-start files, and one more lists the
 * files that these documents have read. After a change of one of these files, they are compiled again.
 */
import { digestOf } from '../canonical-digest.ts'
import type { CompileJob } from '../job.ts'
import { LABELS_NAME } from '../tools/tool-memory.ts'

type StartOfJob = Pick<CompileJob, 'files' | 'warmStartFiles'>
/** A document, and the digests of the files that it has read. */
type Entry = readonly [document: string, digests: readonly (readonly [path: string, digest: string])[]]

/** Document → the files that it has read. */
export type LabelSources = ReadonlyMap<string, ReadonlySet<string>>

/** The file with the labels of a document. */
export function labelFileOf(document: string): string {
  return document.replace(/\.tex$/, '.aux')
}

/** The list for the next compile. */
export function encodeLabelSources(sources: LabelSources, files: CompileJob['files']): Uint8Array {
  return encode([...sources].map(([document, inputs]) => [document, digestInputs(inputs, files)]))
}

/** The documents whose labels are among the warm-start files. */
export function readLabelSources(warmStartFiles: CompileJob['warmStartFiles']): Map<string, ReadonlySet<string>> {
  return new Map(
    readEntries(warmStartFiles).map(([document, digests]) => [document, new Set(digests.map(([path]) => path))]),
  )
}

/** The warm-start files without the labels of documents that have changed. */
export function withoutChangedLabels({ files, warmStartFiles }: StartOfJob): CompileJob['warmStartFiles'] {
  const entries = readEntries(warmStartFiles)
  if (entries.length === 0) return warmStartFiles
  const left = new Map(warmStartFiles)
  const unchanged = entries.filter(([document, digests]) => {
    const now = digestInputs(new Set(digests.map(([path]) => path)), files)
    return left.has(labelFileOf(document)) && JSON.stringify(now) === JSON.stringify(digests)
  })
  for (const entry of entries) if (!unchanged.includes(entry)) left.delete(labelFileOf(entry[0]))
  return left.set(LABELS_NAME, encode(unchanged))
}

/** Files that the document itself has written belong to no job. */
function digestInputs(inputs: ReadonlySet<string>, files: CompileJob['files']): Entry[1] {
  return [...inputs].flatMap((path) => {
    const bytes = files.get(path)
    return bytes === undefined ? [] : [[path, digestOf(bytes)] as const]
  })
}

function readEntries(warmStartFiles: CompileJob['warmStartFiles']): readonly Entry[] {
  const stored = warmStartFiles?.get(LABELS_NAME)
  // Written by an earlier compile.
  return stored === undefined ? [] : (JSON.parse(new TextDecoder().decode(stored)) as readonly Entry[])
}

function encode(entries: readonly Entry[]): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(entries))
}
