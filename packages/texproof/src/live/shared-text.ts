/**
 * A text that several people edit: a Yjs document with one text and nothing else. Updates come from browsers, so each
 * is checked before it is applied: it inserts text or deletes, and depends only on what the document contains. Runs in
 * the thread of the rooms, because the cost of an update is not linear in its size (ADR 37).
 */
import { diffLines } from 'diff'
import * as Y from 'yjs'

import { sharedTextLimits } from './shared-text-limits.ts'

/** Name of the text in the document. */
const TEXT = 'text'

/** Why an update is refused. */
export type UpdateRefusal = 'malformed' | 'too-long' | 'too-much-history'

/** Outcome of an update. */
export type UpdateOutcome =
  /** `update` = what was new in it; null = nothing. */
  | { readonly kind: 'applied'; readonly update: Uint8Array | null }
  | { readonly kind: 'refused'; readonly reason: UpdateRefusal }

/** Creates a document from a text. The same text and epoch give the same document, in the browser as well. */
export function createSharedText(text: string, clientId: number): Y.Doc {
  const doc = new Y.Doc()
  const own = doc.clientID
  doc.clientID = clientId
  if (text !== '') textOf(doc).insert(0, text)
  doc.clientID = own
  textOf(doc)
  return doc
}

/** Reads a stored document. */
export function readSharedText(state: Uint8Array, updates: readonly Uint8Array[]): Y.Doc {
  const doc = new Y.Doc()
  doc.transact(() => {
    Y.applyUpdate(doc, state)
    for (const update of updates) Y.applyUpdate(doc, update)
  })
  textOf(doc)
  return doc
}

/** The text of a document. */
export function textOf(doc: Y.Doc): Y.Text {
  return doc.getText(TEXT)
}

/** Sender of an update, and the owner of each browser id. */
export interface UpdateSender {
  readonly owners: Map<number, string>
  readonly userId: string
}

/** Applies an update of a browser if it passes the checks. */
export function applyUpdate(doc: Y.Doc, bytes: Uint8Array, { owners, userId }: UpdateSender): UpdateOutcome {
  const checked = checkUpdate(doc, bytes)
  if (typeof checked === 'string') return { kind: 'refused', reason: checked }
  // Two histories with one id would never agree.
  if (checked.some((id) => (owners.get(id) ?? userId) !== userId)) return { kind: 'refused', reason: 'malformed' }
  for (const id of checked) owners.set(id, userId)
  const update = recordUpdate(doc, () => Y.applyUpdate(doc, bytes))
  const { store } = doc
  if (store.pendingStructs === null && store.pendingDs === null) return { kind: 'applied', update }
  // It depends on itself in a cycle. What Yjs did not integrate is dropped.
  store.pendingStructs = null
  store.pendingDs = null
  return { kind: 'refused', reason: 'malformed' }
}

/** Changes the text to another one, with few changes, and returns the update; null = it is the same. */
export function replaceText(doc: Y.Doc, after: string): Uint8Array | null {
  const text = textOf(doc)
  return recordUpdate(doc, () =>
    doc.transact(() => {
      for (const { at, deleted, inserted } of findChanges(text.toString(), after)) {
        // In this order, what others type after the deleted text stays after the inserted one.
        text.insert(at, inserted)
        text.delete(at + inserted.length, deleted)
      }
    }),
  )
}

interface Change {
  /** Position in the text with all earlier changes. */
  readonly at: number
  readonly deleted: number
  readonly inserted: string
}

function findChanges(before: string, after: string): readonly Change[] {
  const [start, end] = measureCommonEnds(before, after)
  const [old, young] = [before.slice(start, before.length - end), after.slice(start, after.length - end)]
  const { comparedLines, comparisons } = sharedTextLimits
  const maxEditLength = Math.min(comparedLines, Math.floor(comparisons / (countLines(old) + countLines(young))))
  const parts = diffLines(old, young, { maxEditLength })
  if (parts === undefined) return [{ at: start, deleted: old.length, inserted: young }]
  const changes: Change[] = []
  let at = start
  for (const [index, { value, added, removed }] of parts.entries()) {
    const previous = parts[index - 1]
    const following = parts[index + 1]
    if (removed) changes.push(...findChangesOfLines(at, value, following?.added ? following.value : ''))
    else if (added && !previous?.removed) changes.push({ at, deleted: 0, inserted: value })
    if (!removed) at += value.length
  }
  return changes
}

function countLines(text: string): number {
  let count = 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

/** The changes of lines. As many lines as before are compared one by one: what others type in them stays at its place. */
function findChangesOfLines(start: number, before: string, after: string): readonly Change[] {
  const [old, young] = [before.split(/(?<=\n)/), after.split(/(?<=\n)/)]
  if (old.length !== young.length) return [findChange(start, before, after)]
  let at = start
  return old.map((line, index) => {
    const newLine = young[index] ?? ''
    const change = findChange(at, line, newLine)
    at += newLine.length
    return change
  })
}

/** The change of a text without the common beginning and end. */
function findChange(at: number, before: string, after: string): Change {
  const [start, end] = measureCommonEnds(before, after)
  return { at: at + start, deleted: before.length - start - end, inserted: after.slice(start, after.length - end) }
}

/** The lengths of the common beginning and end of two texts. */
function measureCommonEnds(before: string, after: string): readonly [start: number, end: number] {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start += 1
  // Yjs replaces both halves of a character that a change splits by U+FFFD.
  if (/[\uD800-\uDBFF]/.test(before.charAt(start - 1))) start -= 1
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1
  if (/[\uDC00-\uDFFF]/.test(before.charAt(before.length - end))) end -= 1
  return [start, end]
}

/** Update that a change adds to the document; null = nothing. */
function recordUpdate(doc: Y.Doc, change: () => void): Uint8Array | null {
  let recorded: Uint8Array | null = null
  const record = (update: Uint8Array): void => {
    recorded = recorded === null ? update : Y.mergeUpdates([recorded, update])
  }
  doc.on('update', record)
  try {
    change()
  } finally {
    doc.off('update', record)
  }
  return recorded
}

/** The browsers to whose history it adds, or why it is refused. */
function checkUpdate(doc: Y.Doc, bytes: Uint8Array): readonly number[] | UpdateRefusal {
  let decoded: ReturnType<typeof Y.decodeUpdate>
  try {
    decoded = Y.decodeUpdate(bytes)
  } catch {
    return 'malformed' // The caller learns only that it is not an update.
  }
  const { structs, ds } = decoded
  if (structs.length > sharedTextLimits.structsOfUpdate) return 'malformed'
  const ends = new Map<number, number>()
  const endOf = (client: number): number => ends.get(client) ?? Y.getState(doc.store, client)
  let inserted = 0
  for (const struct of structs) {
    if (!(struct instanceof Y.Item) || !isTextItem(struct)) return 'malformed'
    const { client, clock } = struct.id
    const end = clock + struct.length
    if (client > 2 ** 32 || clock > endOf(client) || end > sharedTextLimits.clock) return 'malformed'
    ends.set(client, Math.max(end, endOf(client)))
    if (struct.content instanceof Y.ContentString) inserted += struct.length
  }
  const isKnown = (id: Y.ID | null): boolean => id === null || id.clock < endOf(id.client)
  const areKnown = (structs as readonly Y.Item[]).every((item) => isKnown(item.origin) && isKnown(item.rightOrigin))
  if (!areKnown || ends.size > sharedTextLimits.clientsOfUpdate) return 'malformed'
  for (const [client, ranges] of ds.clients)
    for (const { clock, len } of ranges) if (clock + len > endOf(client)) return 'malformed'
  if (textOf(doc).length + inserted > sharedTextLimits.length) return 'too-long'
  const stored = [...doc.store.clients.values()].reduce((sum, { length }) => sum + length, 0)
  const isTooMuch = stored + structs.length > sharedTextLimits.structs
  if (isTooMuch || doc.store.clients.size + ends.size > sharedTextLimits.clients) return 'too-much-history'
  return [...ends].flatMap(([client, end]) => (end > Y.getState(doc.store, client) ? [client] : []))
}

/** Text, or the mark of deleted text, directly in the text of the document. */
function isTextItem({ content, parent, parentSub }: Y.Item): boolean {
  // Before an item is integrated, its parent is the name of a type, or null if it follows from a neighbor.
  const name: unknown = parent
  if ((name !== null && name !== TEXT) || parentSub !== null) return false
  if (content instanceof Y.ContentDeleted) return true
  // Browsers would convert a carriage return, and no longer agree on positions.
  return content instanceof Y.ContentString && !/[\r\0]/.test(content.str)
}
