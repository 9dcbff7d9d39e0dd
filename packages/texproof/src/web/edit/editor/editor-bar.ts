/** The toolbar of the editor: name, state of the text, buttons, and a menu with the remaining actions. */
import { posix } from 'node:path'

import type { Context } from 'hono'
import { html } from 'hono/html'

import { encodePath, repositoryPath, wordCountPath } from '../../../domain/page-urls.ts'
import type { SharedDraft } from '../../../live/rooms.ts'
import { formToken } from '../../session/form.ts'
import { timeAgo } from '../../ui/format/time-ago.ts'
import type { Html } from '../../ui/html.ts'
import { moreMenu } from '../../ui/more-menu.ts'
import { draftPath } from '../draft.ts'
import type { EditLocation } from '../find-edit-location.ts'

interface BarView {
  readonly location: EditLocation
  /** null = changes are not stored. */
  readonly draft: SharedDraft | null
  /** Name of the document; null = the only one. */
  readonly document: string | null
  readonly hasPdf: boolean
  readonly hasPreview: boolean
}

/** The toolbar. Buttons that need a script are hidden until it runs. */
export function editorBar(c: Context, { location, draft, document, hasPdf, hasPreview }: BarView): Html {
  const { repository, branch, path, caller } = location
  const toggle = (pane: string, label: string): Html =>
    html`<button type="button" class="drawn-button" data-show-pane="${pane}" aria-pressed="true" hidden>
      ${label}
    </button>`
  const fileAddress = `${encodePath(branch)}/${encodePath(path)}`
  const words = wordCountPath(repository, branch, document)
  const isOwner = caller.user.id === repository.owner.id
  return html`<div class="editor-bar">
    <h1 id="edit-title">Edit ${posix.basename(path)} <span class="quiet">on ${branch}</span></h1>
    <span class="editor-toggles"
      >${toggle('files', 'Files')} ${toggle('source', 'Source')} ${toggle('pdf', 'PDF')}</span
    >
    <span class="editor-states">
      <span class="quiet" data-draft-status role="status"
        >${draft?.isChanged === true ? html`Draft saved ${timeAgo(draft.updatedAt)}` : ''}</span
      >
      <span class="people" data-people></span>
      <span class="quiet" data-preview-status role="status"></span>
    </span>
    ${
      hasPreview
        ? html`<button type="button" class="drawn-button" data-build title="Build (Ctrl+Enter)" hidden>Build</button>`
        : ''
    }
    ${
      hasPdf || hasPreview
        ? html`<button type="button" class="drawn-button" data-show-in-pdf title="Show in PDF (Ctrl+Alt+J)" hidden>
            Show in PDF
          </button>`
        : ''
    }
    <button type="button" class="button" data-open-commit aria-expanded="false" aria-controls="commit" hidden>
      Commit
    </button>
    ${moreMenu([
      html`<button type="button" class="plain-button" data-insert title="Ctrl+Alt+I" hidden>
        Symbols and snippets
      </button>`,
      html`<button type="button" class="plain-button" data-project-search title="Ctrl+Shift+F" hidden>
        Search the project
      </button>`,
      hasPdf ? html`<a href="${words}${words.includes('?') ? '&' : '?'}drafts=1" data-words>Word count</a>` : '',
      html`<a href="${repositoryPath(repository)}/commits/${fileAddress}">History of this file</a>`,
      html`<a href="${repositoryPath(repository)}/people">Collaborators</a>`,
      isOwner ? html`<a href="${repositoryPath(repository)}/settings/share">Share the PDF</a>` : '',
      html`<button type="button" class="plain-button" data-spelling-settings hidden>Spelling</button>`,
      html`<button type="button" class="plain-button" data-keyboard title="F1" hidden>Keyboard shortcuts</button>`,
      discardForm(c, location, draft),
      html`<button type="button" class="plain-button" data-rename-file hidden>Rename or move this file</button>`,
      html`<a href="${repositoryPath(repository)}/delete/${fileAddress}">Delete this file</a>`,
    ])}
  </div>`
}

/** The button that discards a draft; hidden without one. */
export function discardForm(c: Context, location: EditLocation, draft: SharedDraft | null): Html {
  return html`<form
    method="post"
    action="${draftPath(location)}"
    data-discard-draft
    ${draft?.isChanged === true ? '' : html`hidden`}
  >
    ${formToken(c)} <input type="hidden" name="branch" value="${location.branch}" />
    <button class="plain-button" name="act" value="discard">Discard draft</button>
  </form>`
}
