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

import { REPOSITORY_RENAMED, say, sayNotice, sayProgress, showDiscard } from '../draft-status.browser.ts'
import { createBranchNews, type BranchMessage } from './branch-news.browser.ts'
import { createChangeQueue } from './change-queue.browser.ts'
import { holdCommits } from './hold-commits.browser.ts'
import { joinChanges } from './join-changes.browser.ts'
import { keepCopy, takeCopies } from './kept-copy.browser.ts'
import { limitLength } from './limit-length.browser.ts'
import { openLiveConnection } from './live-connection.browser.ts'
import { otherCursors, showPeople, watchCursor } from './people.browser.ts'
import type { Person } from './people.browser.ts'
import { fromBase64, toBase64 } from './unsent-changes.browser.ts'

/** Changes are sent this often while the user types; the first one after a pause is sent when the browser has drawn it. */
const SEND_EVERY_MS = 100
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
  | BranchMessage

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
  const news = createBranchNews(form)
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
      news.showCommit(message)
    }
  }

  function followBranch(message: Extract<BranchMessage, { kind: 'moved' }>): void {
    news.showMove(message)
    onBranchMoved()
    // Otherwise an update follows.
    if (!message.isFollowed) onReceived()
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
