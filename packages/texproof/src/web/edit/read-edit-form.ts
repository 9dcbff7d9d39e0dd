/** The forms of the editor, each parsed once into one value. */
import type { Context } from 'hono'

import { unifyLines } from '../../domain/text/source-text.ts'
import type { Deps } from '../../operations/deps.ts'
import type { CommitTarget } from '../../operations/edit/commit-on-branch.ts'
import { readField, readFields, fieldsExcept } from '../session/form.ts'
import type { FormProblems } from '../ui/form/form-problems.ts'
import { readRevision } from './draft.ts'
import type { EditLocation } from './find-edit-location.ts'
import { normalizeText } from '../../domain/text/normalize-text.ts'

/** Message and branch of a commit. */
export interface CommitForm {
  readonly message: string
  readonly to: 'branch' | 'new'
  /** Filled in even if it is not chosen. */
  readonly newBranch: string
}

/** An edited text. */
export interface EditForm {
  /** The commit at which the text was opened. */
  readonly openedId: string
  /** Revision of the draft that the text was sent as; 0 = none. */
  readonly draftRevision: number
  readonly text: string
  /** Whether the text is the draft, which others may have changed since. */
  readonly isLive: boolean
  /** New path; equals the path of the address unless the file is renamed. */
  readonly newPath: string
  readonly commit: CommitForm
  /** Paths of other files whose drafts are committed too; null = those that the user has changed. */
  readonly otherPaths: readonly string[] | null
  readonly origin: EditOrigin
  /** null = no conflict was shown. */
  readonly answers: ConflictAnswers | null
}

/** The page the editor was opened from, to which it returns. */
export interface EditOrigin {
  /** 1 = the first; null = no line was requested. */
  readonly line: number | null
  readonly isFromPdf: boolean
  /** The document shown in the PDF; null = the first one. */
  readonly document: string | null
}

/** Which side of a conflict is kept. */
export type ConflictChoice = 'mine' | 'theirs' | 'both'

/** The choices made on the conflict page. */
export interface ConflictAnswers {
  /** The commit with which the text conflicted. */
  readonly headId: string
  /** Choices by the index of the merged part. */
  readonly choices: ReadonlyMap<number, ConflictChoice>
  /** Whether the merged text is to be reviewed before it is committed. */
  readonly isReview: boolean
}

/** Reads the form of the editor and of the conflict page. An unchanged path keeps its Unicode normalization. */
export function readEditForm(c: Context, { path }: EditLocation): EditForm {
  const newPath = readField(c, 'path')
  return {
    openedId: readField(c, 'opened'),
    draftRevision: readRevision(readField(c, 'draft')),
    text: unifyLines(readField(c, 'text')),
    isLive: readField(c, 'live') === '1',
    newPath: newPath === path ? path : normalizeText(newPath.trim()),
    commit: readCommitForm(c),
    otherPaths: readFields(c, 'other'),
    origin: toOrigin((name) => readField(c, name)),
    answers: readAnswers(c),
  }
}

/** Reads message and branch. */
export function readCommitForm(c: Context): CommitForm {
  return {
    message: readField(c, 'message').trim(),
    to: readField(c, 'to') === 'new' ? 'new' : 'branch',
    newBranch: readField(c, 'new_branch').trim(),
  }
}

/** Reads the origin from the address of the editor. */
export function originOfAddress(c: Context): EditOrigin {
  return toOrigin((name) => c.req.query(name) ?? '')
}

/** The initial commit form of a page, with an unused name for a new branch. */
export function newCommitForm(
  message: string,
  { login, branches }: { readonly login: string; readonly branches: readonly { readonly name: string }[] },
): CommitForm {
  const names = new Set(branches.map(({ name }) => name))
  let number = 1
  while (names.has(`${login}-${number}`)) number += 1
  return { message, to: 'branch', newBranch: `${login}-${number}` }
}

/** The commit target, for the operation that creates the commit. */
export function commitTarget(
  { repository, caller, branch }: EditLocation,
  { message, to, newBranch }: CommitForm,
  { openedId, defaultMessage }: { readonly openedId: string; readonly defaultMessage: string },
) {
  return {
    repository,
    caller,
    branch,
    newBranch: to === 'new' ? newBranch : null,
    openedId: openedId === '' ? null : openedId,
    message: message === '' ? defaultMessage : message,
  } satisfies CommitTarget
}

/** The branch that has the commit afterwards. */
export function committedBranch({ branch }: EditLocation, { to, newBranch }: CommitForm): string {
  return to === 'new' ? newBranch : branch
}

/** Like `committedBranch`, if nothing was to be committed: a new branch is not created then. */
export async function findCommittedBranch(
  { git }: Pick<Deps, 'git'>,
  location: EditLocation,
  form: CommitForm,
): Promise<string> {
  const branch = committedBranch(location, form)
  return (await git.findBranch(location.repository.id, branch)) === null ? location.branch : branch
}

/** A refusal of the operation as problems of the fields, whose ids begin with `prefix`. */
export function toFieldProblems(
  { field, problem }: { readonly field: 'branch' | 'message' | 'path' | 'text' | null; readonly problem: string },
  { prefix = '', pathId = 'path' }: { readonly prefix?: string; readonly pathId?: string } = {},
): FormProblems {
  const ids = { branch: `${prefix}new-branch`, message: `${prefix}message`, path: pathId, text: 'text', none: 'form' }
  return { [ids[field ?? 'none']]: problem }
}

function toOrigin(field: (name: 'line' | 'back' | 'doc') => string): EditOrigin {
  const [line, document] = [field('line'), field('doc')]
  return {
    line: /^[1-9]\d{0,6}$/.test(line) ? Number(line) : null,
    isFromPdf: field('back') === 'pdf',
    document: document === '' ? null : document,
  }
}

function readAnswers(c: Context): ConflictAnswers | null {
  const headId = readField(c, 'seen')
  if (headId === '') return null
  const choices = fieldsExcept(c, []).flatMap(([name, value]) => {
    const [, index] = /^place-(\d+)$/.exec(name) ?? []
    const isChoice = value === 'mine' || value === 'theirs' || value === 'both'
    return index !== undefined && isChoice ? [[Number(index), value] as const] : []
  })
  return { headId, choices: new Map(choices), isReview: readField(c, 'act') === 'look' }
}
