import { html } from 'hono/html'

import type { PatchedFile, PatchHunk, PatchLine } from '../content/parse-patch.ts'
import type { Html } from './html.ts'

/** Lines shown of one change, all files together: beyond it nobody reads a page. */
const MAX_LINES = 1_200

const SIGNS: Readonly<Record<PatchLine['kind'], string>> = { kept: ' ', added: '+', removed: '−' }

/** A change, file by file, added and removed lines told by sign and colour. */
export function patchView(files: readonly PatchedFile[]): Html {
  let left = MAX_LINES
  const shown = files.map((file) => {
    const count = file.hunks.reduce((sum, { lines }) => sum + lines.length, 0)
    const fits = count <= left
    if (fits) left -= count
    return fileChange(file, fits ? null : count)
  })
  return html`${shown}`
}

function fileChange({ oldPath, newPath, isBinary, hunks }: PatchedFile, foldedLines: number | null): Html {
  const name =
    oldPath === null || newPath === null || oldPath === newPath ? (newPath ?? oldPath) : `${oldPath} → ${newPath}`
  const state = oldPath === null ? 'added' : newPath === null ? 'removed' : oldPath === newPath ? 'changed' : 'renamed'
  return html`<section class="change">
    <h3>${name} <span class="quiet">${state}</span></h3>
    ${
      isBinary
        ? html`<p class="quiet">Not text.</p>`
        : foldedLines !== null
          ? html`<p class="quiet">${foldedLines} lines, too many to show here with the rest.</p>`
          : html`<table class="code">
              <thead class="visually-hidden">
                <tr>
                  <th scope="col">Old line</th>
                  <th scope="col">New line</th>
                  <th scope="col">Change</th>
                  <th scope="col">Text</th>
                </tr>
              </thead>
              <tbody>
                ${hunks.map(hunkRows)}
              </tbody>
            </table>`
    }
  </section>`
}

function hunkRows({ heading, lines }: PatchHunk): Html {
  return html`<tr class="hunk">
      <td colspan="4">${heading}</td>
    </tr>
    ${lines.map(
      ({ kind, oldLine, newLine, text }) =>
        html`<tr class="${kind}">
          <td class="number">${oldLine ?? ''}</td>
          <td class="number">${newLine ?? ''}</td>
          <td class="sign">${SIGNS[kind]}</td>
          <td><code>${text === '' ? '\n' : text}</code></td>
        </tr>`,
    )}`
}
