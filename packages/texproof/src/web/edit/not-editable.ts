import { posix } from 'node:path'

import type { Context } from 'hono'
import { html } from 'hono/html'

import { encodePath, repositoryPath } from '../../domain/page-urls.ts'
import { breadcrumb } from '../ui/breadcrumb.ts'
import { sendPage } from '../shell/page.ts'
import { repositoryHeader } from '../shell/repository/repository-header.ts'
import type { EditLocation } from './find-edit-location.ts'

const REASONS = {
  symlink: 'This file is a symbolic link. Edit its target, or change the link in a clone and push.',
  submodule: 'This is a submodule: its files belong to another repository.',
  'too-large': 'This file is larger than 1 MB. Edit it in a clone and push.',
  'no-text':
    'This file is not UTF-8 text, so saving it here would damage it. Upload a new version, or change it in a clone and push.',
  name: 'The name of this file contains a line break. Rename it in a clone and push.',
} as const

/** Why a file cannot be edited here, and the alternatives. */
export function sendNotEditable(
  c: Context,
  { repository, branch, path }: EditLocation,
  why: keyof typeof REASONS,
): Promise<Response> {
  const folder = posix.dirname(path) === '.' ? '' : `/${encodePath(posix.dirname(path))}`
  const address = (view: string, rest: string): string =>
    `${repositoryPath(repository)}/${view}/${encodePath(branch)}${rest}`
  const main = html`${repositoryHeader(c, repository, 'files', branch)}
    <div class="bar">${breadcrumb({ repository, ref: { name: branch }, path, isHeading: false })}</div>
    <section class="edit" aria-labelledby="edit-title">
      <h1 id="edit-title">${posix.basename(path)} cannot be edited here</h1>
      <p>${REASONS[why]}</p>
      <p class="actions">
        ${why === 'submodule' ? '' : html`<a href="${address('new', folder)}">Upload a file</a> <a href="${address('move', `/${encodePath(path)}`)}">Rename or move this file</a> <a href="${address('delete', `/${encodePath(path)}`)}">Delete this file</a> <a href="${address('blob', `/${encodePath(path)}`)}">Back to the file</a>`}
      </p>
    </section>`
  return sendPage(c, { title: `${path} · ${repository.owner.login}/${repository.name}`, main })
}
