import { html } from 'hono/html'

import { firstFonts, mark, styleSheet } from '../../../web/assets/assets.ts'
import { isBoxWarning } from '../../../web/ui/problem/problem-list.ts'
import { pdfViewer } from '../../../web/ui/document/pdf-viewer.ts'
import { scriptElements } from '../../../web/ui/script-elements.ts'
import type { PreviewState, ShownProblem, PreviewStatus } from './preview-state.ts'

type Html = ReturnType<typeof html>

const words: Readonly<Record<PreviewStatus, string>> = {
  building: '◌ building',
  good: '● up to date',
  warned: '◐ up to date, with warnings',
  flawed: '✕ built with errors',
  failed: '✕ failed',
}

const banners: Readonly<Record<PreviewStatus, string>> = {
  building: 'building',
  good: 'good',
  warned: 'warned',
  flawed: 'failed',
  failed: 'failed',
}

/** The whole page: the status, the PDF in the viewer of a host, and its problems. */
export function previewPage(state: PreviewState): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${state.title === '' ? 'Preview' : state.title} · Texproof</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="${mark.path}" type="image/svg+xml" />
        ${firstFonts.map(({ path }) => html`<link rel="preload" href="${path}" as="font" type="font/woff2" crossorigin />`)}
        <link rel="stylesheet" href="${styleSheet.path}" />
        ${scriptElements(['page', 'pdf-viewer', 'preview'])}
      </head>
      <body class="preview">
        <header>
          <img class="mark" src="${mark.path}" width="26" height="26" alt="Texproof" />
          <h1 id="title">${state.title === '' ? 'Preview' : state.title}</h1>
          <noscript><a href="${previewPdfPath(state.pdfNumber)}">Open the PDF</a> <a href="/">Reload</a></noscript>
        </header>
        <main>
          <div id="paper">${previewPaper(state)}</div>
          <section id="state" aria-label="Status">${previewPanel(state)}</section>
        </main>
      </body>
    </html>`
}

/** The parts that change during a compile: the banner and the problems. */
export function previewPanel(state: PreviewState): Html {
  const { status, summary, problems, pdf } = state
  const isOlder = pdf !== null && status === 'failed'
  return html`<p class="banner banner-${banners[status]}" role="status">
      <span class="proof">${words[status]}</span> ${summary}${isOlder ? '; showing the last good PDF' : ''}
    </p>
    ${problemsOf(state, problems)}`
}

/** Each PDF has its own address, so that no cache returns an older one. */
function previewPaper({ pdf, pdfNumber, pageCount, title, status }: PreviewState): Html {
  if (pdf === null) {
    const wait = status === 'failed' ? 'There is no PDF yet.' : 'The PDF appears here when it is ready.'
    return html`<p class="no-paper">${wait}</p>`
  }
  const fileHref = previewPdfPath(pdfNumber)
  return pdfViewer({
    fileHref,
    pdfId: String(pdfNumber),
    pageCount,
    label: title,
    synctexHref: null,
    pictureHref: null,
  })
}

/** Path of a PDF. */
export function previewPdfPath(pdfNumber: number): string {
  return `/paper-${pdfNumber}.pdf`
}

function problemsOf({ status }: PreviewState, problems: readonly ShownProblem[]): Html | '' {
  const boxes = problems.filter(({ problem }) => isBoxWarning(problem))
  const others = problems.filter(({ problem }) => !isBoxWarning(problem))
  if (problems.length === 0) {
    return status === 'building' || status === 'failed' ? '' : html`<p class="quiet">No errors and no warnings.</p>`
  }
  return html`<ol class="problems">
      ${others.map(problemItem)}
    </ol>
    ${
      boxes.length === 0
        ? ''
        : html`<details class="boxes">
            <summary>${boxes.length} overfull or underfull ${boxes.length === 1 ? 'box' : 'boxes'}</summary>
            <ol class="problems">
              ${boxes.map(problemItem)}
            </ol>
          </details>`
    }`
}

function problemItem({ problem, source }: ShownProblem): Html {
  const { type, file, line, message, remedy } = problem
  const isError = type === 'error'
  const place = [file, line].filter((part) => part !== null).join(':')
  return html`<li class="problem problem-${type}">
    <p>
      <span class="sign" aria-hidden="true">${isError ? '✕' : '⚠'}</span>
      <span class="visually-hidden">${isError ? 'Error' : 'Warning'}: </span>
      ${place === '' ? '' : html`<span class="place">${place}</span> `}<span class="message">${message}</span>
      ${remedy ?? ''}
    </p>
    ${isError && source !== null ? html`<pre tabindex="0">${source}</pre>` : ''}
  </li>`
}
