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

import { offer, say, showDiscard } from './draft-status.browser.ts'
import { otherCursors, showPeople, watchCursor } from './people.browser.ts'
import type { Person } from './people.browser.ts'
import { findCopies, fromBase64, removeCopies, toBase64, writeCopy } from './unsent-changes.browser.ts'

const SEND_AFTER_MS = 100
const COPY_AFTER_MS = 500
const RETRY_AFTER_MS = [300, 1_000, 2_000, 5_000]
/** A connection without acknowledgment is broken. */
const STORED_WITHIN_MS = 15_000
/** Attempts after which a network that blocks WebSocket is assumed. */
const MAX_BLOCKED = 3

/** Why the server closed a connection for good. */
const REFUSALS: Readonly<Record<number, string>> = {
  4400: 'The server refused a change. Copy your text, then reload the page.',
  4403: 'You may no longer write to this repository. Copy your text.',
  4404: 'This file is no longer available. Copy your text.',
  4413: 'The text is larger than 1 MB. Split the file.',
  4422: 'You have too many drafts. Commit or discard some of them.',
  4431: 'The history of this draft is too long. Commit it, then reload the page.',
}

/** A shared text and the part of the editor that changes it. */
export interface SharedText {
  readonly text: string
  readonly extensions: Extension
  /** Undoes the last change that was made on this page. */
  undo(): void
  redo(): void
  /** The next change is undone separately from the last. */
  endChange(): void
  /** Connects the editor. `onStored` is called when the server has changes; `fallBack` if there can be no connection. */
  connect(view: EditorView, calls: { readonly onStored: () => void; readonly fallBack: () => void }): void
}

type Message =
  | { readonly kind: 'ready' }
  | { readonly kind: 'reset' }
  | { readonly kind: 'stored'; readonly count: number }
  | { readonly kind: 'people'; readonly people: readonly Person[] }
  | { readonly kind: 'committed'; readonly by: string; readonly isDiscarded: boolean }

/** The shared text of a form; null if the page has none. */
export function openSharedText(form: HTMLFormElement): SharedText | null {
  const { live: address, epoch, state } = form.dataset
  if (address === undefined || epoch === undefined || state === undefined) return null
  const doc = new Y.Doc()
  Y.applyUpdate(doc, fromBase64(state), 'server')
  const text = doc.getText('text')
  const undoManager = new Y.UndoManager(text)
  return {
    text: text.toString(),
    extensions: [yCollab(text, null, { undoManager }), keymap.of(yUndoManagerKeymap), otherCursors],
    undo: () => void undoManager.undo(),
    redo: () => void undoManager.redo(),
    endChange: () => undoManager.stopCapturing(),
    connect: (view, calls) => connect({ form, doc, address, epoch, view, ...calls }),
  }
}

interface Connected {
  readonly form: HTMLFormElement
  readonly doc: Y.Doc
  readonly address: string
  readonly epoch: string
  readonly view: EditorView
  readonly onStored: () => void
  readonly fallBack: () => void
}

function connect({ form, doc, address, epoch, view, onStored, fallBack }: Connected): void {
  /** Changes that were not sent over this connection, and those that the server has not stored yet, by message. */
  let waiting: Uint8Array[] = []
  let sent: Uint8Array[] = []
  let storedCount = 0
  let socket: WebSocket | null = null
  let isReady = false
  let isEnded = false
  let failures = 0
  let blocked = 0
  let submitter: HTMLElement | null | undefined
  let sendTimer: ReturnType<typeof setTimeout> | undefined
  let copyTimer: ReturnType<typeof setTimeout> | undefined
  let retryTimer: ReturnType<typeof setTimeout> | undefined
  let storedTimer: ReturnType<typeof setTimeout> | undefined
  const copyKey = { address, clientId: doc.clientID }

  const isStored = (): boolean => waiting.length + sent.length === 0

  doc.on('update', (update: Uint8Array, origin: unknown) => {
    if (origin === 'server') return
    waiting.push(update)
    if (!isEnded) {
      if (isReady) say('Saving…')
      sendTimer ??= setTimeout(send, SEND_AFTER_MS)
    }
    copyTimer ??= setTimeout(copy, COPY_AFTER_MS)
  })

  function send(): void {
    clearTimeout(sendTimer)
    sendTimer = undefined
    if (!isReady || waiting.length === 0) return
    const update = Y.mergeUpdates(waiting)
    waiting = []
    sent.push(update)
    socket?.send(new Uint8Array(update))
    storedTimer ??= setTimeout(() => socket?.close(), STORED_WITHIN_MS)
  }

  function copy(): void {
    clearTimeout(copyTimer)
    copyTimer = undefined
    if (isStored()) removeCopies([copyKey])
    else
      writeCopy(copyKey, {
        epoch,
        update: toBase64(Y.mergeUpdates([...sent, ...waiting])),
        text: view.state.doc.toString(),
      })
  }

  function acknowledge(count: number): void {
    sent = sent.slice(count - storedCount)
    storedCount = count
    clearTimeout(storedTimer)
    storedTimer = undefined
    if (!isStored()) return
    say('Draft saved')
    showDiscard(true)
    copy()
    onStored()
    if (submitter !== undefined) form.requestSubmit(submitter)
  }

  function receive({ data }: MessageEvent): void {
    if (data instanceof ArrayBuffer) {
      Y.applyUpdate(doc, new Uint8Array(data), 'server')
      if (isReady) onStored()
      return
    }
    const message = JSON.parse(String(data)) as Message
    if (message.kind === 'ready') start()
    else if (message.kind === 'stored') acknowledge(message.count)
    else if (message.kind === 'people') showPeople(view, { people: message.people, doc })
    else if (message.kind === 'reset') reset()
    else {
      showDiscard(false)
      say(message.isDiscarded ? `${message.by} discarded the draft.` : `${message.by} committed this text.`)
    }
  }

  function start(): void {
    isReady = true
    failures = 0
    blocked = 0
    if (isStored()) say('')
    else send()
  }

  /** The draft was ended long ago: its history and this one cannot be merged. */
  function reset(): void {
    isEnded = true
    copy()
    location.reload()
  }

  function open(): void {
    clearTimeout(retryTimer)
    if (isEnded || socket !== null) return
    let hasOpened = false
    socket = new WebSocket(new URL(address, location.href.replace(/^http/, 'ws')))
    socket.binaryType = 'arraybuffer'
    socket.addEventListener('open', () => {
      hasOpened = true
      const vector = toBase64(Y.encodeStateVector(doc))
      socket?.send(JSON.stringify({ kind: 'greeting', clientId: doc.clientID, epoch, vector }))
    })
    socket.addEventListener('message', receive)
    socket.addEventListener('close', ({ code }) => {
      socket = null
      isReady = false
      waiting = [...sent, ...waiting]
      sent = []
      storedCount = 0
      clearTimeout(storedTimer)
      storedTimer = undefined
      showPeople(view, { people: [], doc })
      if (isEnded) return
      copy()
      if (code === 4401) signedOut()
      else if (code in REFUSALS) end(REFUSALS[code] ?? '')
      else if (hasOpened) retry()
      else void findCause()
    })
  }

  function end(reason: string): void {
    isEnded = true
    say(reason)
  }

  /** Browsers do not tell scripts why a connection failed: an ordinary request does. */
  async function findCause(): Promise<void> {
    // Without a network: null.
    const answer = await fetch(address, { redirect: 'manual' }).catch(() => null)
    if (answer === null) return retry()
    if (answer.type === 'opaqueredirect' || answer.status === 401 || answer.status === 403) return signedOut()
    if (answer.status === 404) return end(REFUSALS[4403] ?? '')
    blocked += answer.status === 426 ? 1 : 0
    if (blocked < MAX_BLOCKED) return retry()
    isEnded = true
    fallBack()
  }

  function retry(): void {
    if (isEnded) return
    failures += 1
    // A short interruption is not worth a message, unless there is something to lose.
    if (failures > 1 || !isStored()) say('Offline. Your changes are kept in this browser.')
    retryTimer = setTimeout(open, RETRY_AFTER_MS[Math.min(failures, RETRY_AFTER_MS.length) - 1])
  }

  function signedOut(): void {
    const link = document.createElement('a')
    link.href = `/login?next=${encodeURIComponent(location.pathname)}`
    link.target = '_blank'
    link.textContent = 'Sign in'
    say('You are signed out. Your changes are kept in this browser.', link)
    failures = RETRY_AFTER_MS.length
    retryTimer = setTimeout(open, RETRY_AFTER_MS[2])
  }

  const copies = findCopies(address)
  const isOurs = copies.filter((found) => found.copy.epoch === epoch)
  for (const { copy: found } of isOurs) Y.applyUpdate(doc, fromBase64(found.update), 'copy')
  // From here on, the copy of this page contains them.
  if (isOurs.length > 0) copy()
  removeCopies(isOurs.map(({ key }) => key))
  for (const { key, copy: lost } of copies.filter((found) => found.copy.epoch !== epoch))
    if (lost.text === view.state.doc.toString()) removeCopies([key])
    else
      offer('This browser has a text that was never sent, and the file has changed since.', [
        [
          'Load that text',
          () => {
            view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: lost.text } })
            removeCopies([key])
          },
        ],
        ['Discard it', () => removeCopies([key])],
      ])

  watchCursor(view, doc, (cursor) => {
    if (isReady) socket?.send(JSON.stringify({ kind: 'cursor', ...cursor }))
  })
  form.addEventListener('formdata', ({ formData }) => {
    if (isReady && isStored()) formData.set('live', '1')
  })
  // The commit takes the text from the server, which must have all of it. Without a connection, the form has the text.
  form.addEventListener(
    'submit',
    (event) => {
      if (isStored() || !isReady) return
      event.preventDefault()
      event.stopImmediatePropagation()
      submitter = event.submitter
      send()
    },
    { capture: true },
  )
  addEventListener('offline', () => socket?.close())
  addEventListener('online', open)
  addEventListener('pageshow', open)
  addEventListener('pagehide', () => {
    send()
    if (!isStored()) copy()
  })
  // The text is only in this browser.
  addEventListener('beforeunload', (event) => {
    if (!isReady && !isStored()) event.preventDefault()
  })
  open()
}
