/** Commits without leaving the page. What the server cannot commit at once is sent again as a form, which shows why. */
import { say } from './draft-status.browser.ts'
import { postForm } from './shared/form-token.browser.ts'
import { addressOfFile } from './synctex.browser.ts'

interface CommitLink {
  readonly commitId: string
  readonly commitPath: string
}

/** Drafts of other files that the commit should have contained. */
interface LeftOut {
  readonly leftOut: readonly { readonly path: string; readonly problem: string }[]
}

/** The answer to a commit. `page` = the form as a page shows what to do. */
type CommitAnswer =
  | (CommitLink &
      LeftOut & {
        readonly kind: 'committed'
        /** More than one if the commit contains drafts of other files. */
        readonly fileCount: number
        readonly isMerged: boolean
        readonly draftRevision: number
      })
  /** `committed` = the newest commit of the file, if another user has made it. */
  | (LeftOut & { readonly kind: 'unchanged'; readonly committed: (CommitLink & { readonly by: string }) | null })
  | { readonly kind: 'page' }

/** Wires the button that Ctrl+S presses. `onCommitted` is called when the branch has a new commit. */
export function wireCommits(form: HTMLFormElement, onCommitted: () => void): void {
  let running: FormData | null = null
  /** The button of the next commit, of what was typed during this one. */
  let next: HTMLElement | null = null
  form.addEventListener('submit', (event) => {
    const { submitter, target, defaultPrevented } = event
    if (target !== form || defaultPrevented) return
    // The form leaves the page, even to show why a commit was refused.
    if (submitter?.matches('[data-commit-here]') !== true) return void (next = null)
    const body = new FormData(form, submitter)
    // A new path or branch has another address, and a text without a live connection another way to be stored.
    const path = form.dataset['path']
    if (body.get('live') !== '1' || body.get('to') === 'new' || body.get('path') !== path) return
    event.preventDefault()
    if (running !== null) {
      // The same text is not committed twice.
      if (body.get('text') !== running.get('text')) next = submitter
      return
    }
    running = body
    void commit(form, body, onCommitted).finally(() => {
      const waiting = next
      running = null
      next = null
      if (waiting !== null) form.requestSubmit(waiting)
    })
  })
}

async function commit(form: HTMLFormElement, body: FormData, onCommitted: () => void): Promise<void> {
  // The message of the server about this commit is for the others.
  form.dataset['committing'] = ''
  say('Committing…')
  const answer = await post(form, body)
  setTimeout(() => delete form.dataset['committing'], 1_000)
  if (answer === null) return say('No connection. The draft is saved; commit it later.')
  if (answer.kind === 'unchanged') return sayUnchanged(form, answer)
  if (answer.kind === 'page') return form.requestSubmit(form.querySelector<HTMLButtonElement>('button.button'))
  setField(form, 'opened', answer.commitId)
  setField(form, 'draft', String(answer.draftRevision))
  for (const list of document.querySelectorAll<HTMLElement>('[data-opened]')) list.dataset['opened'] = answer.commitId
  const message = form.querySelector<HTMLInputElement>('[name=message]')
  if (message !== null) message.value = message.defaultValue
  document.querySelector<HTMLElement>('[data-open-commit][aria-expanded=true]')?.click()
  const what = answer.fileCount === 1 ? 'Committed' : `Committed ${answer.fileCount} files`
  sayDone(form, answer, answer.isMerged ? `${what}, merged with other changes` : what)
  onCommitted()
}

function sayDone(form: HTMLFormElement, answer: CommitLink & LeftOut, what: string): void {
  if (answer.leftOut.length === 0) say(what, linkTo(answer))
  else sayLeftOut(form, answer, `${what} ${shortId(answer)}.`)
}

/** A co-author may have committed the text at the same moment. */
function sayUnchanged(form: HTMLFormElement, answer: Extract<CommitAnswer, { kind: 'unchanged' }>): void {
  const { committed } = answer
  if (answer.leftOut.length > 0) sayLeftOut(form, answer, 'No changes to commit.')
  else if (committed === null) say('There are no changes to commit.')
  else say(`No changes to commit. ${committed.by} has committed this text:`, linkTo(committed))
}

/** Says after `what` why a draft was left out, with a link to its file. */
function sayLeftOut(form: HTMLFormElement, { leftOut: [first, ...others] }: LeftOut, what: string): void {
  if (first === undefined) return
  const more = others.length === 0 ? '' : ` Also left out: ${others.map(({ path }) => path).join(', ')}.`
  const link = Object.assign(document.createElement('a'), {
    href: addressOfFile(form, first.path),
    textContent: first.path,
  })
  say(`${what} ${first.problem}${more} Commit it in`, link)
}

function linkTo({ commitPath, commitId }: CommitLink): HTMLElement {
  return Object.assign(document.createElement('a'), { href: commitPath, textContent: shortId({ commitId }) })
}

function shortId({ commitId }: Pick<CommitLink, 'commitId'>): string {
  return commitId.slice(0, 7)
}

/** Null without a network. An error or a page to sign in is shown by the form. */
async function post(form: HTMLFormElement, body: FormData): Promise<CommitAnswer | null> {
  const headers = { accept: 'application/json' }
  // Without a network: null.
  const answer = await postForm(form.action, body, { headers, redirect: 'manual' }).catch(() => null)
  if (answer === null) return null
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true
  return isJson && answer.ok ? ((await answer.json()) as CommitAnswer) : { kind: 'page' }
}

function setField(form: HTMLFormElement, name: string, value: string): void {
  const field = form.querySelector<HTMLInputElement>(`input[name=${name}]`)
  if (field !== null) field.value = value
}

/** Shows the newest list of drafts that the commit can contain; what the user has chosen stays. */
export async function refreshOtherDrafts(form: HTMLFormElement): Promise<void> {
  const list = form.querySelector('[data-other-drafts]')
  // Without a network: null, as for an error, and the list stays.
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } }).catch(() => null)
  const page = answer?.ok === true ? new DOMParser().parseFromString(await answer.text(), 'text/html') : null
  const fresh = page?.querySelector('[data-other-drafts]')
  if (list === null || !fresh) return
  const isChosen = new Map([...list.querySelectorAll('input')].map(({ value, checked }) => [value, checked]))
  for (const box of fresh.querySelectorAll('input')) box.checked = isChosen.get(box.value) ?? box.checked
  list.replaceChildren(...fresh.childNodes)
}
