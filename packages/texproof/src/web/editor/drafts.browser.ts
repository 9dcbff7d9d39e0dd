/**
 * Drafts without a live connection: every pause in typing sends the text to the server. Until the server confirms a text, the browser keeps a copy
 * that survives a closed tab, so nothing is lost without a network or after the session has ended.
 */
import { FILE_MISSING, offer, REPOSITORY_RENAMED, say, sayProgress, showDiscard } from './draft-status.browser.ts'
import { describeLostAccess, findMovedPage, renewFormTokens } from './shared/form-token.browser.ts'
import { holdCommits } from './shared/hold-commits.browser.ts'
import { moveCopies, nameCopy, readCopies, removeCopy, writeCopy } from './shared/text-copies.browser.ts'
import type { DraftBase, TextCopy } from './shared/text-copies.browser.ts'

const AFTER_MS = 300
const AT_LEAST_EVERY_MS = 800
/** A commit waits for the draft. A connection without an answer counts as lost. */
const ANSWER_WITHIN_MS = 30_000
const RETRY_AFTER_MS = [1_000, 2_000, 5_000, 10_000]

/** Why a text is not stored now; it is sent again later. */
const FAILURES = {
  missing: FILE_MISSING,
  'signed-out': 'You are signed out. Sign in from another tab.',
  unreachable: 'No connection.',
  failed: 'The server could not save the draft.',
}

const UNSAVED = 'This browser has unsaved changes, and the draft has changed since.'
const MAYBE_COMMITTED = 'This browser has changes that may be committed already, and the draft has changed since.'

/** A proxy has no answer of the server. */
const LOST: ReadonlySet<number> = new Set([502, 504])

/** Browsers refuse to send more than 64 KiB after the page has closed. */
const MAX_KEEPALIVE_BYTES = 60_000

/** Editor interface used by drafts. */
export interface DraftedText {
  readonly form: HTMLFormElement
  /** Address of the draft. */
  readonly address: string
  /** The text when the page was opened. */
  readonly opened: string
  read(): string
  /** Replaces the text, as an undoable change. */
  replace(text: string): void
  /** Called when the server has stored the newest text. */
  onStored(): void
}

/** The draft as others have changed it. */
interface OtherDraft extends DraftBase {
  readonly text: string
}

/** Sends changes of a text. Call the result after every change. */
export function keepDraft(drafted: DraftedText): () => void {
  const { form, address } = drafted
  const revisionField = form.querySelector<HTMLInputElement>('[name=draft]')
  const key = nameCopy(address)
  let stored = drafted.opened
  let base: DraftBase = { revision: Number(revisionField?.value ?? 0), epoch: form.dataset['epoch'] ?? '' }
  let timer: ReturnType<typeof setTimeout> | undefined
  let firstChangeAt = 0
  let failures = 0
  let isKept = true
  let isSending = false
  let isAsking = false
  /** Whether the next page, at the new address, has the copy. */
  let isMoved = false
  /** Whether the last text that was sent is not stored: a commit does not wait for the next attempt. */
  let hasFailed = false
  /** A text that the server may have stored, without an answer: it is sent again until there is one, and a later one after it. */
  let unanswered: string | null = null
  /**
   * True while a text that is not stored is committed. The server adds it to the draft; sending it too would duplicate
   * it.
   */
  let isPaused = false
  /** The field by which the server recognizes the attempt. */
  let commitAttempt = ''
  /** Whether a commit that has waited for the draft also takes what was typed since. */
  let hasWaited = false

  const commits = holdCommits(form, {
    mayCommit: () => !isSending && (hasFailed || hasWaited || drafted.read() === stored),
    onHeld() {
      sayProgress('Saving…')
      void send()
    },
  })

  const changed = (): void => {
    const text = drafted.read()
    if (isMoved || (text === stored && !isSending)) return
    isKept = writeCopy(key, { text, ...base })
    if (isPaused) return
    const now = performance.now()
    if (firstChangeAt === 0) firstChangeAt = now
    clearTimeout(timer)
    timer = setTimeout(() => void send(), Math.max(0, Math.min(AFTER_MS, firstChangeAt + AT_LEAST_EVERY_MS - now)))
  }

  const send = async (text = unanswered ?? drafted.read()): Promise<void> => {
    if (isSending || isAsking || isPaused || isMoved) return
    isSending = true
    clearTimeout(timer)
    firstChangeAt = 0
    const isForCommit = commits.isHeld()
    const outcome = await post(form, address, { text, ...base })
    isSending = false
    unanswered = outcome.kind === 'unreachable' ? text : null
    hasFailed = outcome.kind !== 'stored'
    if (outcome.kind === 'stored') {
      failures = 0
      stored = text
      base = { ...base, revision: outcome.revision }
      if (revisionField !== null) revisionField.value = String(base.revision)
      sayProgress('Draft saved')
      showDiscard(true)
      if (drafted.read() === text) {
        removeCopy(key)
        drafted.onStored()
      } else {
        changed()
        // An author who types on would keep the commit waiting.
        if (!isForCommit) return
      }
      hasWaited = true
      commits.release()
      hasWaited = false
      return
    }
    if (outcome.kind !== 'not-found') whenFailed(outcome, text)
    else if (!commits.isHeld()) await follow()
    // The form has the text, and its page shows what to do.
    commits.release()
  }

  /** Opens the editor at the new address of the repository, with what is not stored. */
  const follow = async (): Promise<void> => {
    const moved = await findMovedPage('draft', address)
    if (moved === null) return say(await describeLostAccess())
    isMoved = isKept && moveCopies(address, moved.address)
    if (isMoved) return location.replace(moved.page)
    say(REPOSITORY_RENAMED)
  }

  const whenFailed = (outcome: Exclude<Outcome, { readonly kind: 'stored' | 'not-found' }>, sent: string): void => {
    if (outcome.kind === 'conflict') return resolve(outcome, sent)
    if (outcome.kind === 'refused') return say(outcome.problem)
    failures += 1
    const where = isKept
      ? 'Your draft is kept in this browser.'
      : 'Keep this page open: your browser cannot store the draft.'
    say(`${FAILURES[outcome.kind]} ${where}`)
    timer = setTimeout(() => void retry(), RETRY_AFTER_MS[Math.min(failures, RETRY_AFTER_MS.length) - 1])
  }

  const retry = async (): Promise<void> => {
    // After signing in again, the old token is refused.
    await renewFormTokens()
    await send()
  }

  /**
   * Another window or device has changed the draft: both texts stay until the user chooses. The text that was sent comes
   * from an earlier attempt, whose response was lost.
   */
  const resolve = ({ text, ...other }: OtherDraft, sent: string): void => {
    const keepOwn = (): void => {
      isAsking = false
      base = other
      void send()
    }
    if (text === sent || text === drafted.read()) return keepOwn()
    isAsking = true
    offer('This draft was changed in another window.', [
      [
        'Load the other version',
        () => {
          isAsking = false
          hasFailed = false
          base = other
          stored = text
          drafted.replace(text)
          removeCopy(key)
        },
      ],
      ['Keep this version', keepOwn],
    ])
  }

  const restore = (left: string, text: string): void => {
    drafted.replace(text)
    changed()
    // From here on, the copy of this window contains it.
    if (isKept) removeCopy(left)
  }

  for (const { key: left, copy } of readCopies(address)) {
    const isTyped = drafted.read() !== stored
    const isCommitted = copy.commitAttempt !== undefined && copy.commitAttempt === form.dataset['committedAttempt']
    if (isCommitted || copy.text === stored || copy.text === drafted.read()) removeCopy(left)
    else if (copy.revision === base.revision && copy.epoch === base.epoch && !isTyped) restore(left, copy.text)
    else
      offer(copy.commitAttempt === undefined ? UNSAVED : MAYBE_COMMITTED, [
        ['Restore unsaved changes', () => restore(left, copy.text)],
        ['Discard', () => removeCopy(left)],
      ])
  }
  changed()
  addEventListener('online', () => void retry())
  form.addEventListener('submit', ({ target }) => {
    // A panel of the editor has a form of its own.
    if (target !== form) return
    const text = drafted.read()
    isPaused = text !== stored
    clearTimeout(timer)
    if (!isPaused) return
    // The copy of this attempt only: text typed after it replaces the copy.
    commitAttempt = String(Math.random())
    isKept = writeCopy(key, { text, ...base, commitAttempt })
  })
  form.addEventListener('formdata', ({ formData }) => isPaused && formData.set('attempt', commitAttempt))
  addEventListener('pageshow', () => (isPaused = false))
  addEventListener('pagehide', () => {
    // There is no time for an earlier text.
    if (drafted.read() !== stored) void send(drafted.read())
  })
  // The text is only in this browser.
  addEventListener('beforeunload', (event) => {
    if ((failures > 0 || isAsking) && !isPaused && !isMoved && drafted.read() !== stored) event.preventDefault()
  })
  return changed
}

type Outcome =
  | { readonly kind: 'stored'; readonly revision: number }
  | ({ readonly kind: 'conflict' } & OtherDraft)
  | { readonly kind: 'refused'; readonly problem: string }
  /** The repository was renamed, or the author may no longer write to it. */
  | { readonly kind: 'not-found' }
  | { readonly kind: keyof typeof FAILURES }

async function post(form: HTMLFormElement, address: string, { text, revision, epoch }: TextCopy): Promise<Outcome> {
  const body = new FormData()
  for (const name of ['form_token', 'branch', 'opened'])
    body.set(name, form.querySelector<HTMLInputElement>(`[name=${name}]`)?.value ?? '')
  body.set('text', text)
  body.set('draft', String(revision))
  body.set('epoch', epoch)
  // The submitted form of the text: forms end lines with `\r\n`.
  const { length: bytes } = new TextEncoder().encode(text.replaceAll('\n', '\r\n'))
  try {
    const answer = await fetch(address, {
      method: 'POST',
      body,
      redirect: 'manual',
      keepalive: bytes < MAX_KEEPALIVE_BYTES,
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    })
    if (answer.type === 'opaqueredirect' || answer.status === 401 || answer.status === 403)
      return { kind: 'signed-out' }
    if (answer.status === 200) return { kind: 'stored', ...((await answer.json()) as { revision: number }) }
    if (answer.status === 409) return readConflict((await answer.json()) as OtherDraft | { readonly text: null })
    if (answer.status === 422) return { kind: 'refused', ...((await answer.json()) as { problem: string }) }
    if (answer.status === 404) return { kind: 'not-found' }
    if (answer.status === 413) return { kind: 'refused', problem: 'The text is larger than 1 MB. Split the file.' }
    return { kind: LOST.has(answer.status) ? 'unreachable' : 'failed' }
  } catch {
    return { kind: 'unreachable' } // No network, no answer, or the server is restarting.
  }
}

/** Without a text, there is neither a draft nor a file. */
function readConflict(other: OtherDraft | { readonly text: null }): Outcome {
  return other.text === null ? { kind: 'missing' } : { kind: 'conflict', ...other }
}
