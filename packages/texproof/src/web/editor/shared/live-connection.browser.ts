/** The connection of a shared text. Reconnects after every interruption, unless the server closes it permanently. */
import { remind, say, sayProgress } from '../draft-status.browser.ts'
import { describeLostAccess, findMovedPage, renewFormTokens } from './form-token.browser.ts'
import type { MovedPage } from './form-token.browser.ts'

const RETRY_AFTER_MS = [300, 1_000, 2_000, 5_000]
/** Retry interval while the user is signed out, or another one is signed in. */
const SIGNED_OUT_RETRY_MS = 2_000
/** Attempts after which a network that blocks WebSocket is assumed. */
const MAX_BLOCKED = 3
/** A server with too many connections. */
const BUSY_RETRY_MS = 30_000
const SIGNED_OUT = 4401
const BUSY = 1013
const NO_ACCESS = 4403
const TOO_MANY_TABS = 4420

/** Reasons why the server closed a connection permanently. */
const REFUSALS: Readonly<Record<number, string>> = {
  // A single change, such as a replacement of all matches in a long text.
  1009: 'The server refused a change, because it is too large. Copy your text, then reload the page.',
  4400: 'The server refused a change. Copy your text, then reload the page.',
  4404: 'This file is no longer available. Copy your text.',
  // The file may be short: what a change replaces counts as well.
  4413: 'The server refused a change, because the file would be larger than 1 MB. Copy your text, then reload the page.',
  4422: 'You have too many drafts. Commit or discard some of them.',
  4431: 'The history of this draft is too long. Commit it, then reload the page.',
}

/** Callbacks of a connection. */
interface ConnectionCalls {
  /** The first message. */
  greeting(): string
  receive(message: MessageEvent): void
  /** Called before the next attempt, if there is one. */
  onClosed(): void
  /** Whether this page has changes that would be lost with it. */
  hasUnstored(): boolean
  /** Whether the browser has stored a copy of these changes. */
  isKept(): boolean
  /** Whether the user waits for a commit. */
  isCommitting(): boolean
  /** The next attempt comes later: nothing can be committed now. */
  onUnreachable(): void
  /** The server has closed the connection permanently. */
  onRefused(): void
  /** There can be no connection. */
  fallBack(): void
  /** The file has another address of a connection, and another page. */
  onMoved(to: MovedPage): void
}

export interface LiveConnection {
  /** Whether the server has answered the greeting. */
  isReady(): boolean
  /** Call this when the server has answered the greeting. */
  ready(): void
  /** Whether messages can be sent: a socket that is closing is still ready. */
  canSend(): boolean
  send(message: string | Uint8Array): void
  /** Opens a connection now, if there is none. */
  retryNow(): void
  /** Closes a connection that does not answer; the next one opens soon. */
  drop(): void
  /** Whether no other connection will open. */
  isEnded(): boolean
  end(): void
}

/** Opens the connection. */
export function openLiveConnection(address: string, calls: ConnectionCalls): LiveConnection {
  let socket: WebSocket | null = null
  let isReady = false
  let isEnded = false
  let failures = 0
  let blocked = 0
  let isSignedOut = false
  let retryTimer: ReturnType<typeof setTimeout> | undefined

  function open(): void {
    clearTimeout(retryTimer)
    if (isEnded || socket !== null) return
    let hasOpened = false
    const own = new WebSocket(new URL(address, location.href.replace(/^http/, 'ws')))
    socket = own
    own.binaryType = 'arraybuffer'
    own.addEventListener('open', () => {
      hasOpened = true
      own.send(calls.greeting())
    })
    own.addEventListener('message', (message) => {
      if (socket === own) calls.receive(message)
    })
    own.addEventListener('close', ({ code }) => {
      if (socket !== own) return
      forget()
      if (isEnded) return
      if (code === SIGNED_OUT) signedOut()
      else if (code === NO_ACCESS) void refuseAccess()
      else if (code in REFUSALS) refuse(REFUSALS[code] ?? '')
      else if (code === TOO_MANY_TABS) saveByForm()
      // A commit needs no live connection.
      else if (code === BUSY && !calls.isCommitting()) busy()
      else if (hasOpened && !calls.isCommitting()) retry()
      else void findCause()
    })
  }

  function forget(): void {
    socket = null
    isReady = false
    calls.onClosed()
  }

  /** Without a network, the browser may report the end of a connection only minutes later, as it waits for the server. */
  function abandon(): void {
    if (socket === null) return
    const old = socket
    forget()
    old.close()
    retry()
  }

  function refuse(reason: string): void {
    isEnded = true
    calls.onRefused()
    say(reason)
  }

  async function refuseAccess(): Promise<void> {
    isEnded = true
    calls.onRefused()
    say(await describeLostAccess())
  }

  /** Another attempt would fail until the author closes a tab. */
  function saveByForm(): void {
    isEnded = true
    remind(
      'Too many editor tabs are open. This one saves your draft but does not show changes by others. Close some tabs, then reload this page.',
    )
    calls.fallBack()
  }

  function busy(): void {
    calls.onUnreachable()
    say(
      calls.isKept()
        ? 'Too many people are editing now. Your changes are kept in this browser until the server accepts them.'
        : 'Too many people are editing now, and this browser cannot store your changes. Keep this page open, or copy your text.',
    )
    retryTimer = setTimeout(open, BUSY_RETRY_MS)
  }

  /** Browsers do not tell scripts why a connection failed: an ordinary request does. */
  async function findCause(): Promise<void> {
    // Without a network: null.
    const answer = await fetch(address, { redirect: 'manual' }).catch(() => null)
    // The outcome of a newer attempt replaces this one.
    if (isEnded || socket !== null) return
    if (answer === null) return retry()
    const moved = answer.type === 'opaqueredirect' ? await findMovedPage('live', address) : null
    if (isEnded || socket !== null) return
    if (moved !== null) {
      calls.onMoved(moved)
      // If that page cannot be opened now.
      return retry()
    }
    if (answer.type === 'opaqueredirect' || answer.status === 401 || answer.status === 403) return signedOut()
    if (answer.status === 409) return replaced()
    if (answer.status === 404) return refuseAccess()
    blocked += answer.status === 426 ? 1 : 0
    // A commit needs no live connection, and does not wait for one.
    if (answer.status !== 426 || (blocked < MAX_BLOCKED && !calls.isCommitting())) return retry()
    isEnded = true
    calls.fallBack()
  }

  function retry(): void {
    if (isEnded) return
    failures += 1
    // A short interruption is not worth a message, unless there is something to lose.
    if (failures > 1 || calls.hasUnstored() || !navigator.onLine)
      sayProgress(
        calls.isKept()
          ? 'Offline. Your changes are kept in this browser.'
          : 'Offline. This browser cannot store your changes. Keep this page open, or copy your text.',
      )
    calls.onUnreachable()
    retryTimer = setTimeout(open, RETRY_AFTER_MS[Math.min(failures, RETRY_AFTER_MS.length) - 1])
  }

  function signedOut(): void {
    const link = document.createElement('a')
    link.href = `/login?next=${encodeURIComponent(location.pathname)}`
    link.target = '_blank'
    link.textContent = 'Sign in'
    waitForUser('You are signed out.', link)
  }

  /** A text is not saved in the name of someone else. */
  function replaced(): void {
    waitForUser('Another user has signed in. Sign in as yourself to continue.')
  }

  function waitForUser(reason: string, link: HTMLElement | null = null): void {
    const where = calls.isKept() ? 'Your changes are kept in this browser.' : 'Keep this page open, or copy your text.'
    calls.onUnreachable()
    say(`${reason} ${where}`, link)
    isSignedOut = true
    failures = RETRY_AFTER_MS.length
    retryTimer = setTimeout(open, SIGNED_OUT_RETRY_MS)
  }

  addEventListener('offline', abandon)
  addEventListener('online', open)
  addEventListener('pageshow', open)
  // The caller has its connection before the first event.
  queueMicrotask(open)
  return {
    isReady: () => isReady,
    ready() {
      isReady = true
      // The forms of the page belong to the old session.
      if (isSignedOut) void renewFormTokens()
      isSignedOut = false
      failures = 0
      blocked = 0
    },
    canSend: () => isReady && socket?.readyState === WebSocket.OPEN,
    send: (message) => socket?.send(typeof message === 'string' ? message : new Uint8Array(message)),
    retryNow: open,
    drop: abandon,
    isEnded: () => isEnded,
    end: () => (isEnded = true),
  }
}
