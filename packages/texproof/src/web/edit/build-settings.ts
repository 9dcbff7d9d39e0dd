/**
 * `/{owner}/{repo}/build-settings/{branch}`: documents, engines and limits of builds. The changed settings are reviewed
 * as a diff of `.texproof.toml` and committed with the form of the editor, which also handles concurrent changes.
 */
import type { Context } from 'hono'

import { isObjectId } from '../../git/is-object-id.ts'
import type { Deps } from '../../operations/deps.ts'
import {
  findBuildSettings,
  maxListedDocuments,
  writeBuildSettings,
  type DocumentRow,
} from '../../operations/edit/build-settings.ts'
import type { BuildSettingsOfCommit } from '../../operations/edit/build-settings.ts'
import { findFile } from '../../operations/edit/find-file.ts'
import { NotFound } from '../session/errors.ts'
import { readField } from '../session/form.ts'
import type { FormProblems } from '../ui/form/form-problems.ts'
import {
  sendReview,
  sendSettingsForm,
  sendUnreadable,
  type EditedRow,
  type SettingsForm,
} from './build-settings-page.ts'
import { findEditLocation, type EditLocation } from './find-edit-location.ts'

/** The last row adds a document. */
const MAX_ROWS = maxListedDocuments + 1

/** The form with the settings of the branch. */
export async function showBuildSettings(c: Context, deps: Deps): Promise<Response> {
  const { location, headId } = await findLocation(c, deps)
  return sendForm(c, deps, { location, openedId: headId })
}

/** Shows the diff, or the form with its problems. */
export async function reviewBuildSettings(c: Context, deps: Deps): Promise<Response> {
  const { location, headId } = await findLocation(c, deps)
  const { repository } = location
  const openedId = readField(c, 'opened')
  const isKnown = isObjectId(openedId) && (await deps.git.findCommit(repository.id, openedId)) !== null
  if (!isKnown) {
    const problems = { form: `${location.branch} was rewritten since you opened this page. Enter your changes again.` }
    return sendForm(c, deps, { location, openedId: headId, problems })
  }
  const opened = await findBuildSettings(deps, repository, openedId)
  if (opened.kind === 'unreadable') return sendUnreadable(c, location, opened.problem)
  const form = readForm(c, openedId)
  const problems = await findProblems(deps, location, form)
  if (Object.keys(problems).length > 0) return sendSettingsForm(c, deps, { location, opened, form, problems })
  const source = opened.source ?? ''
  const { auto, timeout } = form
  const edited = await writeBuildSettings(deps, repository, {
    source,
    documents: listedDocuments(opened.rows, form.rows),
    auto,
    timeout,
  })
  const problem =
    edited === null || edited.kind === 'unsupported'
      ? 'The file is written in a form that this page cannot change. Edit it as text.'
      : edited.text === source
        ? 'There are no changes to review.'
        : edited.problem
  if (edited?.kind !== 'edited' || problem !== null)
    return sendSettingsForm(c, deps, { location, opened, form, problems: { form: problem ?? '' } })
  return sendReview(c, deps, { location, openedId, source: opened.source, text: edited.text })
}

async function findLocation(c: Context, deps: Deps): Promise<{ location: EditLocation; headId: string }> {
  const location = await findEditLocation(c, deps)
  if (location.path !== '' || location.headId === null) throw new NotFound('Branch not found.')
  return { location, headId: location.headId }
}

async function sendForm(
  c: Context,
  deps: Deps,
  { location, openedId, problems = {} }: { location: EditLocation; openedId: string; problems?: FormProblems },
): Promise<Response> {
  const opened = await findBuildSettings(deps, location.repository, openedId)
  if (opened.kind === 'unreadable') return sendUnreadable(c, location, opened.problem)
  return sendSettingsForm(c, deps, { location, opened, form: formOf(opened, openedId), problems })
}

function formOf(
  { rows, auto, timeout }: Extract<BuildSettingsOfCommit, { readonly kind: 'read' }>,
  openedId: string,
): SettingsForm {
  const filled = rows.map(({ at, settings }) => ({ ...settings, at, isRemoved: false }))
  return { openedId, rows: filled, auto, timeout }
}

function readForm(c: Context, openedId: string): SettingsForm {
  const count = Math.min(Number(readField(c, 'count')) || 0, MAX_ROWS)
  const rows = Array.from({ length: count }, (_, index): EditedRow => {
    const at = readField(c, `at-${index}`)
    return {
      at: /^\d{1,3}$/.test(at) ? Number(at) : null,
      root: readField(c, `root-${index}`).trim().replace(/^\.\//, ''),
      name: readField(c, `name-${index}`).trim(),
      engine: readField(c, `engine-${index}`),
      bibliography: readField(c, `bibliography-${index}`),
      isRemoved: readField(c, `remove-${index}`) === 'yes',
    }
  })
  // The last row adds a document if it has a root file.
  const filled = rows.filter((row, index) => index < count - 1 || row.root !== '')
  return { openedId, rows: filled, auto: readField(c, 'auto'), timeout: readField(c, 'timeout').trim() }
}

/** Detected documents are listed in the file only if one of them is changed. */
function listedDocuments(opened: readonly DocumentRow[], rows: readonly EditedRow[]) {
  const kept = rows.filter(({ isRemoved }) => !isRemoved)
  const isDetected = opened.every(({ at }) => at === null)
  const isSame =
    kept.length === opened.length &&
    kept.every(
      ({ root, name, engine, bibliography }, index) =>
        root === opened[index]?.settings.root && name === '' && engine === '' && bibliography === '',
    )
  return isDetected && isSame ? [] : kept
}

async function findProblems(
  { git }: Deps,
  { repository }: EditLocation,
  { openedId, rows, timeout }: SettingsForm,
): Promise<FormProblems> {
  const problems: Record<string, string> = {}
  for (const [index, { root, isRemoved }] of rows.entries()) {
    if (isRemoved) continue
    const file = await findFile(git, repository.id, { commitId: openedId, path: root })
    if (file?.kind !== 'file' && file?.kind !== 'executable')
      problems[`root-${index}`] = root === '' ? 'Enter the root file.' : `There is no file "${root}".`
  }
  if (timeout !== '' && !/^\d{1,4}[sm]$/.test(timeout))
    problems['timeout'] = `Enter a time such as 120s or 2m, not "${timeout}".`
  return problems
}
