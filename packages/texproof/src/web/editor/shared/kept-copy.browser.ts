/** The copy of a shared text in this browser: changes of this page, and of earlier pages, that the server has not stored. */
import type { EditorView } from '@codemirror/view'
import * as Y from 'yjs'

import { offer } from '../draft-status.browser.ts'
import type { ChangeQueue } from './change-queue.browser.ts'
import { findCopies, fromBase64, moveCopies, removeCopies, toBase64, writeCopy } from './unsent-changes.browser.ts'
import type { UnsentCopy } from './unsent-changes.browser.ts'

const COPY_AFTER_MS = 500

/** A shared text, and the editor that shows it. */
interface CopiedText {
  readonly doc: Y.Doc
  /** Address of the connection. */
  readonly address: string
  readonly epoch: string
  readonly view: EditorView
}

/** Keeps what is not stored in this browser. `isEnded` = whether the server will not take these changes. */
export function keepCopy({ doc, address, epoch, view }: CopiedText, queue: ChangeQueue, isEnded: () => boolean) {
  let key = { address, clientId: doc.clientID }
  let timer: ReturnType<typeof setTimeout> | undefined
  let isKept = true
  const write = (): void => {
    clearTimeout(timer)
    timer = undefined
    isKept = true
    if (queue.isEmpty()) return removeCopies([key])
    const text = view.state.doc.toString()
    // They would be refused again, or may be part of a commit: the next page offers the text instead of merging them.
    const copied = { epoch: isEnded() ? '' : epoch, updates: queue.unstored().map(toBase64), text }
    isKept = writeCopy(key, copied)
  }
  /**
   * Moves the changes to a new address, with those that earlier pages have left. False if the browser cannot store
   * them.
   */
  const moveTo = (newAddress: string): boolean => {
    write()
    if (!isKept || !moveCopies(address, newAddress)) return false
    key = { ...key, address: newAddress }
    return true
  }
  const writeSoon = (): void => void (timer ??= setTimeout(write, COPY_AFTER_MS))
  return { write, writeSoon, moveTo, isKept: () => isKept }
}

/** Merges what earlier pages of this file have left in this browser. `write` keeps the copy of this page. */
export function takeCopies({ doc, address, epoch, view }: CopiedText, write: () => void): void {
  const copies = findCopies(address)
  const merged = copies.filter(({ copy }) => copy.epoch === epoch && mergeCopy(doc, copy))
  // From here on, the copy of this page contains them.
  if (merged.length > 0) write()
  removeCopies(merged.map(({ key }) => key))
  for (const { key, copy: lost } of copies.filter((copy) => !merged.includes(copy)))
    if (lost.text === view.state.doc.toString()) removeCopies([key])
    else
      offer('This browser has unsaved changes, and the file has changed since.', [
        [
          'Restore unsaved changes',
          () => {
            view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: lost.text } })
            write()
            removeCopies([key])
          },
        ],
        ['Discard', () => removeCopies([key])],
      ])
}

/** False if the changes are damaged: the text is offered instead. */
function mergeCopy(doc: Y.Doc, { updates }: UnsentCopy): boolean {
  try {
    const changes = updates.map(fromBase64)
    // All are checked first, so that none or all are applied.
    for (const change of changes) Y.decodeUpdate(change)
    for (const change of changes) Y.applyUpdate(doc, change, 'copy')
    return true
  } catch {
    return false // Not updates of Yjs.
  }
}
