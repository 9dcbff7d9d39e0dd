import { html } from 'hono/html'

import type { Html } from '../html.ts'

const WORDS = {
  file: ['Choose file', 'No file chosen'],
  files: ['Choose files', 'No files chosen'],
  folder: ['Choose folder', 'No folder chosen'],
} as const

/** Limits of the form, which the script of the field checks before anything is sent. */
export interface FileLimits {
  /** @default any number */
  readonly files?: number
  readonly fileBytes: number
  /** Of all fields of the form together. */
  readonly totalBytes: number
}

/**
 * A field for files. With script it lies invisibly above a button and the names of the chosen files, so that it takes
 * clicks and dropped files; without, it looks as the browser draws it. Screen readers read the field alone.
 */
export function fileField(kind: keyof typeof WORDS, limits: FileLimits, attributes: Html): Html {
  const [button, nothing] = WORDS[kind]
  return html`<span class="file-field">
    <input
      type="file"
      ${kind === 'file' ? '' : html`multiple`}
      ${kind === 'folder' ? html`webkitdirectory` : ''}
      ${limits.files === undefined ? '' : html`data-max-files="${limits.files}"`}
      data-max-file-bytes="${limits.fileBytes}"
      data-max-total-bytes="${limits.totalBytes}"
      ${attributes}
    />
    <span class="drawn-button" aria-hidden="true">${button}</span>
    <span data-chosen aria-hidden="true">${nothing}</span>
  </span>`
}
