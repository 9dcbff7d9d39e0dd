/** Converts pasted and dropped tables, images and bibliography entries to LaTeX or BibTeX. */
import type { EditorView } from '@codemirror/view'

import { say, sayNotice } from '../draft-status.browser.ts'
import { problemOf } from '../files/file-list.browser.ts'
import type { Project } from '../project.browser.ts'
import { postForm } from '../shared/form-token.browser.ts'
import { tidyEntries } from './bibliography-entry.browser.ts'
import { readTable, tableCode } from './table-code.browser.ts'

/** The code of a pasted table; the plain text if there is more than a table. */
export async function convertTable({
  html,
  text,
  project,
}: {
  readonly html: string
  readonly text: string
  readonly project: Project
}): Promise<string> {
  const rows = readTable(html)
  if (rows === null) return text
  const index = await project.read()
  sayNotice('Pasted as a table. Press Ctrl+Shift+V to paste plain text.')
  return tableCode(rows, { hasBooktabs: index?.packages.includes('booktabs') === true })
}

/** Tidies bibliography entries. A letter is appended to a key that already exists. */
export async function tidyPastedEntries(
  view: EditorView,
  { text, project }: { readonly text: string; readonly project: Project },
): Promise<string> {
  const index = await project.read()
  const used = new Set(index?.citations.map(({ key }) => key))
  for (const [, key] of view.state.doc.toString().matchAll(/^[ \t]*@[a-zA-Z]+\s*\{\s*([^\s,{}]+)/gm))
    if (key !== undefined) used.add(key)
  const tidied = tidyEntries(text, (key) => used.has(key))
  if (tidied !== null && tidied.renamed.length > 0)
    sayNotice(tidied.renamed.map(([from, to]) => `"${from}" exists: pasted as "${to}".`).join(' '))
  return tidied?.text ?? text
}

/** Uploads images to the folder `figures`, and returns a figure for each; an empty text if the upload fails. */
export async function uploadImages({
  files,
  form,
  project,
}: {
  readonly files: readonly File[]
  readonly form: HTMLFormElement
  readonly project: Project
}): Promise<string> {
  const index = await project.read()
  const folder = `${index?.root ?? ''}figures`
  const taken = new Set(index?.files)
  const named = files.map((file) => {
    const name = freeName(file, (candidate) => taken.has(`${folder}/${candidate}`))
    taken.add(`${folder}/${name}`)
    return new File([file], name, { type: file.type })
  })
  say('Uploading…')
  const body = new FormData()
  for (const name of ['form_token', 'branch', 'opened'])
    body.set(name, form.querySelector<HTMLInputElement>(`[name=${name}]`)?.value ?? '')
  for (const file of named) body.append('files', file)
  const address = (form.dataset['uploads'] ?? '') + folder.split('/').map(encodeURIComponent).join('/')
  // Without a network: null.
  const answer = await postForm(address, body).catch(() => null)
  if (answer?.ok !== true) {
    sayNotice(answer?.status === 413 ? 'The image is too large.' : `The upload failed. ${await problemOf(answer)}`)
    return ''
  }
  project.invalidate()
  sayNotice(index?.packages.includes('graphicx') === false ? 'Uploaded. Add \\usepackage{graphicx}.' : 'Uploaded')
  return named.map(({ name }) => figureCode(name)).join('')
}

function figureCode(name: string): string {
  const label = name.replace(/\.\w+$/, '')
  return `\\begin{figure}[htbp]\n  \\centering\n  \\includegraphics[width=0.8\\linewidth]{figures/${name}}\n  \\caption{}\n  \\label{fig:${label}}\n\\end{figure}\n`
}

/** A file name without spaces and special characters, which TeX cannot read. Pasted images have no name of their own. */
function freeName({ name, type }: File, isTaken: (name: string) => boolean): string {
  const ending = /\.(png|jpe?g|pdf)$/i.exec(name)?.[0].toLowerCase() ?? `.${type.slice(type.indexOf('/') + 1)}`
  const stem =
    name
      .replace(/\.\w+$/, '')
      .replaceAll(/[^a-zA-Z0-9-]+/g, '-')
      .replaceAll(/^-+|-+$/g, '') || 'image'
  let candidate = stem + ending
  for (let number = 2; isTaken(candidate); number += 1) candidate = `${stem}-${number}${ending}`
  return candidate
}
