/** `/docs/errors`: a page for every kind of problem that builds explain, with an example. */
import { explainDiagnostic } from '@texproof/platex/explain'
import type { Context } from 'hono'
import { html } from 'hono/html'

import type { ErrorExample, ErrorPage } from '../../docs/error-pages/types.ts'
import { errorFamilies, findErrorPage } from '../../docs/find-error-page.ts'
import { sendDocsPage } from './docs-page.ts'
import type { Html } from '../ui/html.ts'
import { NotFound } from '../session/errors.ts'

/** `GET /docs/errors`: all of them, grouped. */
export function showErrorList(c: Context): Promise<Response> {
  const main = html`<article class="prose docs">
    <h1>LaTeX problems</h1>
    <p>All errors and warnings that builds explain, each with an example, TeX's message and a fix.</p>
    ${errorFamilies.map(
      ({ title, pages }) =>
        html`<h2>${title}</h2>
          <ul>
            ${pages.map(({ code, title: name }) => html`<li><a href="/docs/errors/${code}">${name}</a></li>`)}
          </ul>`,
    )}
  </article>`
  return sendDocsPage(c, { tab: '/docs/errors', title: 'LaTeX problems', main })
}

/** `GET /docs/errors/{code}`. */
export function showErrorPage(c: Context): Promise<Response> {
  const page = findErrorPage(c.req.param('code') ?? '')
  if (page === null) throw new NotFound('Documentation page not found.')
  const { code, title, means, fix, example } = page
  const main = html`<article class="prose docs">
    <p class="quiet"><a href="/docs/errors">LaTeX problems</a> / <code>${code}</code></p>
    <h1>${title}</h1>
    <p>${withCommands(means)}</p>
    ${example === null ? '' : exampleOf(example)}
    <h2>How to fix it</h2>
    <p>${withCommands(fix)}</p>
    ${example === null ? '' : solutionOf(example)} ${neighbors(page)}
  </article>`
  return sendDocsPage(c, { tab: '/docs/errors', title, main })
}

function exampleOf(example: ErrorExample): Html {
  const { source, says, context = null, files = {}, engine = 'pdflatex' } = example
  const explanation = explainDiagnostic({
    type: 'error',
    file: null,
    line: null,
    message: says,
    context,
    source: 'latex',
  })
  return html`<h2>Example</h2>
    <pre tabindex="0"><code>${source}</code></pre>
    ${listFiles(files)}
    <p>${engine === 'pdflatex' ? 'TeX prints:' : html`<code>${engine}</code> prints:`}</p>
    <pre tabindex="0"><code>${says}</code></pre>
    ${
      explanation === null
        ? ''
        : html`<p>Explanation in a build:</p>
            <blockquote><p>${explanation.summary} ${explanation.remedy ?? ''}</p></blockquote>`
    }`
}

/** The fixed version of the example: the document, or one of its files. */
function solutionOf({ source, fixed, fixedFiles = {} }: ErrorExample): Html {
  return html`${source === fixed ? '' : html`<pre tabindex="0"><code>${fixed}</code></pre>`} ${listFiles(fixedFiles)}`
}

function listFiles(files: Readonly<Record<string, string>>): Html[] {
  return Object.entries(files).map(
    ([name, text]) =>
      html`<p><code>${name}</code>:</p>
        <pre tabindex="0"><code>${text}</code></pre>`,
  )
}

/** Formats commands as code and addresses of this host as links. */
function withCommands(words: string): (Html | string)[] {
  return words
    .split(/(\/status\/tex|\\(?:[a-zA-Z]+\*?(?:\[[^\]]*\])?(?:\{[^{}]*\})*|[\\()[\]&_-]))/)
    .map((part, index) => {
      if (index % 2 === 0) return part
      return part.startsWith('/') ? html`<a href="${part}">${part}</a>` : html`<code>${part}</code>`
    })
}

/** Links to the other problems of the group. */
function neighbors({ code }: ErrorPage): Html | '' {
  const family = errorFamilies.find(({ pages }) => pages.some((each) => each.code === code))
  if (family === undefined) return ''
  const others = family.pages.filter((each) => each.code !== code)
  return html`<h2>${family.title}</h2>
    <ul>
      ${others.map((other) => html`<li><a href="/docs/errors/${other.code}">${other.title}</a></li>`)}
    </ul>`
}
