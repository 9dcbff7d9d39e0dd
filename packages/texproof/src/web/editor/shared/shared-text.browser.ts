/**
 * The text that all who have the file open edit together. Every change is sent at once; until the server has stored it,
 * this browser keeps a copy that survives a closed tab, so nothing is lost without a network or after the session has
 * ended. Changes made offline merge on reconnect.
 */
import type { Extension } from '@codemirror/state'
import { keymap } from '@codemirror/view'
import type { EditorView } from '@codemirror/view'
import { yCollab, yUndoManagerKeymap } from 'y-codemirror.next'
import * as Y from 'yjs'

import { FILE_MISSING, offer, remind, REPOSITORY_RENAMED, say, sayNotice } from '../draft-status.browser.ts'
import { sayProgress, showDiscard } from '../draft-status.browser.ts'
import { addressOfFile } from '../synctex.browser.ts'
import { createChangeQueue } from './change-queue.browser.ts'
import type { ChangeQueue } from './change-queue.browser.ts'
import { holdCommits } from './hold-commits.browser.ts'
import { joinChanges } from './join-changes.browser.ts'
import { limitLength } from './limit-length.browser.ts'
import { openLiveConnection } from './live-connection.browser.ts'
import { otherCursors, showPeople, watchCursor } from './people.browser.ts'
import type { Person } from './people.browser.ts'
import { findCopies, fromBase64, moveCopies, removeCopies, toBase64, writeCopy } from './unsent-changes.browser.ts'
import type { UnsentCopy } from './unsent-changes.browser.ts'

/** Changes are sent this often while the user types; the first one after a pause is sent when the browser has drawn it. */
const SEND_EVERY_MS = 100
const COPY_AFTER_MS = 500
/** A connection without acknowledgment is broken. */
const STORED_WITHIN_MS = 15_000

/** A shared text and the part of the editor that changes it. */
export interface SharedText {
  readonly text: string
  readonly extensions: Extension
  /** Undoes the last change that was made on this page. */
  undo(): void
  redo(): void
  /** The next change is undone separately from the last. */
  endChange(): void
  /**
   * Connects the editor. `onSent` is called when a request can name all changes of this page by `sent`, or need not name
   * them, `onStored` when the server has stored them, `onReceived` when changes of others arrive, `onBranchMoved` when the
   * branch has another head, and `fallBack` if there can be no connection.
   */
  connect(view: EditorView, calls: ConnectionEvents): void
  /** The messages that this page has sent over its connection, for requests that wait for them; null without one. */
  sent(): SentMessages | null
}

type ConnectionEvents = Pick<Connected, 'onSent' | 'onStored' | 'onReceived' | 'onBranchMoved' | 'fallBack'>

/** Identifies messages for the server that has the connection. */
export interface SentMessages {
  readonly clientId: number
  readonly count: number
}

type Message =
  | { readonly kind: 'ready' }
  | { readonly kind: 'reset' }
  | { readonly kind: 'stored'; readonly count: number }
  | { readonly kind: 'people'; readonly people: readonly Person[] }
  | ({ readonly kind: 'committed'; readonly isDiscarded: boolean } & CommitNews)
  | {
      readonly kind: 'moved'
      readonly isMissing: boolean
      readonly newPath: string | null
      readonly isFollowed: boolean
    }

/** A commit by another user or window. `branch` and `newPath` are null if they are the branch and the path of this page. */
interface CommitNews {
  readonly by: string
  readonly branch: string | null
  readonly newPath: string | null
}

/** The shared text of a form; null if the page has none. */
export function openSharedText(form: HTMLFormElement): SharedText | null {
  const { live: address, epoch, state } = form.dataset
  if (address === undefined || epoch === undefined || state === undefined) return null
  const doc = new Y.Doc()
  Y.applyUpdate(doc, fromBase64(state), 'server')
  const text = doc.getText('text')
  const undoManager = new Y.UndoManager(text)
  let sent = (): SentMessages | null => null
  return {
    text: text.toString(),
    extensions: collaboration(text, undoManager),
    undo: () => void undoManager.undo(),
    redo: () => void undoManager.redo(),
    endChange: () => undoManager.stopCapturing(),
    connect(view, calls) {
      sent = connect({ form, doc, address, epoch, view, ...calls })
    },
    sent: () => sent(),
  }
}

/** The extensions of a text that is not shared. */
export function collaborationOn(content: string): Extension {
  const text = new Y.Doc().getText('text')
  text.insert(0, content)
  return collaboration(text, new Y.UndoManager(text))
}

function collaboration(text: Y.Text, undoManager: Y.UndoManager): Extension {
  return [yCollab(text, null, { undoManager }), keymap.of(yUndoManagerKeymap), otherCursors, joinChanges, limitLength]
}

interface Connected {
  readonly form: HTMLFormElement
  readonly doc: Y.Doc
  readonly address: string
  readonly epoch: string
  readonly view: EditorView
  readonly onSent: () => void
  readonly onStored: () => void
  readonly onReceived: () => void
  readonly onBranchMoved: () => void
  readonly fallBack: () => void
}

/** Returns the messages that were sent over the current connection. */
function connect(connected: Connected): SharedText['sent'] {
  const { form, doc, address, epoch, view, onSent, onStored, onReceived, onBranchMoved, fallBack } = connected
  // With several servers, another one may receive the request: it reads only stored changes.
  const isOneServer = form.dataset['oneServer'] !== undefined
  const queue = createChangeQueue()
  const copy = keepCopy(connected, queue, () => connection.isEnded())
  const commits = holdCommits(form, {
    mayCommit: () => connection.isEnded() || (connection.isReady() && queue.isEmpty()),
    onHeld() {
      if (connection.isReady()) return send()
      say('Connecting…')
      connection.retryNow()
    },
  })
  let storedTimer: ReturnType<typeof setTimeout> | undefined
  let isReloading = false
  /** Why the branch no longer has the file. */
  let missing: readonly [text: string, link: HTMLElement | null] = [FILE_MISSING, null]
  const connection = openLiveConnection(address, {
    greeting() {
      const vector = toBase64(Y.encodeStateVector(doc))
      return JSON.stringify({ kind: 'greeting', clientId: doc.clientID, epoch, vector })
    },
    receive,
    onClosed() {
      queue.restart()
      clearTimeout(storedTimer)
      storedTimer = undefined
      showPeople(view, { people: [], doc })
      if (!connection.isEnded()) copy.write()
    },
    hasUnstored: () => !queue.isEmpty(),
    isKept: copy.isKept,
    isCommitting: commits.isHeld,
    onUnreachable() {
      if (!commits.drop()) return
      const where = copy.isKept()
        ? 'Your text is kept in this browser'
        : 'Your text is kept only while this page is open'
      sayNotice(`No connection. ${where}; commit it when you are online.`)
    },
    onRefused() {
      commits.drop()
      copy.write()
    },
    fallBack() {
      // Whole texts are sent from here on: these changes would be applied a second time.
      doc.off('update', keep)
      queue.clear()
      copy.write()
      fallBack()
      commits.release()
    },
    onMoved(to) {
      if (!copy.moveTo(to.address)) {
        connection.end()
        return say(REPOSITORY_RENAMED)
      }
      isReloading = true
      location.replace(to.page)
    },
  })
  const sendSoon = throttle(send, SEND_EVERY_MS)

  const keep = (update: Uint8Array, origin: unknown): void => {
    if (origin === 'server') return
    queue.add(update)
    if (connection.isReady()) sayProgress('Saving…')
    if (!connection.isEnded()) sendSoon()
    copy.writeSoon()
  }
  doc.on('update', keep)

  function send(): void {
    const update = connection.canSend() ? queue.take() : null
    if (update === null) return
    connection.send(update)
    storedTimer ??= setTimeout(() => connection.drop(), STORED_WITHIN_MS)
    if (isOneServer && queue.isSent()) onSent()
  }

  function receive({ data }: MessageEvent): void {
    if (data instanceof ArrayBuffer) {
      Y.applyUpdate(doc, new Uint8Array(data), 'server')
      if (connection.isReady()) onReceived()
      return
    }
    const message = JSON.parse(String(data)) as Message
    if (message.kind === 'ready') start()
    else if (message.kind === 'stored') acknowledge(message.count)
    else if (message.kind === 'people') showPeople(view, { people: message.people, doc })
    else if (message.kind === 'reset') reset()
    else if (message.kind === 'moved') followBranch(message)
    else {
      showDiscard(false)
      if (form.dataset['committing'] !== undefined) return
      const { by, branch, newPath } = message
      if (newPath !== null && branch === null) {
        missing = [`${by} renamed this file. Continue in`, linkToFile(newPath)]
        return remind(...missing)
      }
      const where = branch === null ? '' : ` to ${branch}`
      say(message.isDiscarded ? `${by} discarded the draft.` : `${by} committed this text${where}.`)
    }
  }

  function linkToFile(path: string): HTMLElement {
    return Object.assign(document.createElement('a'), { href: addressOfFile(form, path), textContent: path })
  }

  function followBranch({ isMissing, newPath, isFollowed }: Extract<Message, { kind: 'moved' }>): void {
    // A commit in an editor has also said who renamed it.
    const isKnown = newPath === null || missing[1]?.textContent === newPath
    if (!isKnown) missing = ['This file was renamed. Continue in', linkToFile(newPath)]
    if (isMissing) remind(...missing)
    else remind('')
    onBranchMoved()
    // Otherwise an update follows.
    if (!isFollowed) onReceived()
  }

  function start(): void {
    connection.ready()
    if (!queue.isEmpty()) return send()
    sayProgress('')
    commits.release()
  }

  function acknowledge(count: number): void {
    queue.acknowledge(count)
    clearTimeout(storedTimer)
    storedTimer = undefined
    // What was typed without a connection follows in several messages.
    if (!queue.isEmpty()) return send()
    sayProgress('Draft saved')
    showDiscard(true)
    copy.write()
    onStored()
    if (!isOneServer) onSent()
    commits.release()
  }

  /** The draft was ended long ago: its history and this one cannot be merged. */
  function reset(): void {
    connection.end()
    copy.write()
    if (!copy.isKept())
      return say(
        'The draft was committed or discarded, and this browser cannot store your changes. Copy your text, then reload the page.',
      )
    isReloading = true
    location.reload()
  }

  takeCopies(connected, copy.write)
  watchCursor(view, doc, (cursor) => {
    if (connection.canSend()) connection.send(JSON.stringify({ kind: 'cursor', ...cursor }))
  })
  form.addEventListener('formdata', ({ formData }) => {
    if (connection.isReady() && queue.isEmpty()) formData.set('live', '1')
  })
  addEventListener('pagehide', () => {
    send()
    if (!queue.isEmpty()) copy.write()
  })
  // The text is only in this browser.
  addEventListener('beforeunload', (event) => {
    if (!isReloading && !connection.isReady() && !queue.isEmpty()) event.preventDefault()
  })
  return () => (connection.isReady() ? { clientId: doc.clientID, count: queue.countSent() } : null)
}

/**
 * Calls `act` after the current task, and after that at most so often. Browsers draw a typed letter first, which takes half
 * as long again while a request starts.
 */
function throttle(act: () => void, everyMs: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isWanted = false
  const run = (): void => {
    isWanted = false
    timer = setTimeout(() => {
      timer = undefined
      if (isWanted) run()
    }, everyMs)
    act()
  }
  return () => {
    isWanted = true
    timer ??= setTimeout(run)
  }
}

/** Keeps what is not stored in this browser. `isEnded` = whether the server will not take these changes. */
function keepCopy({ doc, address, epoch, view }: Connected, queue: ChangeQueue, isEnded: () => boolean) {
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
function takeCopies({ doc, address, epoch, view }: Connected, write: () => void): void {
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
