/** `/docs/errors`: a page for every kind of problem that a build names, with a document that has it. */
import { adviseOn } from '@texproof/platex/advice'
import type { Context } from 'hono'
import { html } from 'hono/html'

import type { ErrorExample, ErrorPage } from '../../docs/error-pages/types.ts'
import { errorFamilies, findErrorPage } from '../../docs/find-error-page.ts'
import { sendDocsPage } from './docs-page.ts'
import type { Html } from '../ui/html.ts'
import { NotFound } from '../session/not-found.ts'

/** `GET /docs/errors`: all of them, by what they are about. */
export function showErrorList(c: Context): Response | Promise<Response> {
  const main = html`<article class="prose docs">
    <h1>What can go wrong</h1>
    <p>
      Every kind of problem that a build names, in plain words, with a document that has it. TeX's own words stand on
      each page, for those who search for them.
    </p>
    ${errorFamilies.map(
      ({ title, pages }) =>
        html`<h2>${title}</h2>
          <ul>
            ${pages.map(({ code, title: name }) => html`<li><a href="/docs/errors/${code}">${name}</a></li>`)}
          </ul>`,
    )}
  </article>`
  return sendDocsPage(c, { tab: '/docs/errors', title: 'What can go wrong', main })
}

/** `GET /docs/errors/{code}`. */
export function showErrorPage(c: Context): Response | Promise<Response> {
  const page = findErrorPage(c.req.param('code') ?? '')
  if (page === null) throw new NotFound('No kind of problem has this name.')
  const { code, title, means, mend, example } = page
  const main = html`<article class="prose docs">
    <p class="quiet"><a href="/docs/errors">What can go wrong</a> / <code>${code}</code></p>
    <h1>${title}</h1>
    <p>${withCommands(means)}</p>
    ${example === null ? '' : exampleOf(example)}
    <h2>What to do</h2>
    <p>${withCommands(mend)}</p>
    ${example === null ? '' : solutionOf(example)} ${neighbours(page)}
  </article>`
  return sendDocsPage(c, { tab: '/docs/errors', title, main })
}

function exampleOf(example: ErrorExample): Html {
  const { source, says, files = {}, engine = 'pdflatex' } = example
  const advice = adviseOn({ type: 'error', file: null, line: null, message: says, context: null, source: 'latex' })
  return html`<h2>An example</h2>
    <pre tabindex="0"><code>${source}</code></pre>
    ${listFiles(files)}
    <p>${engine === 'pdflatex' ? 'TeX says:' : html`<code>${engine}</code> says:`}</p>
    <pre tabindex="0"><code>${says}</code></pre>
    ${
      advice === null
        ? ''
        : html`<p>A build explains it like this:</p>
            <blockquote><p>${advice.summary} ${advice.remedy ?? ''}</p></blockquote>`
    }`
}

/** Only what differs from the example: the document, or a file that it reads. */
function solutionOf({ source, mended, mendedFiles = {} }: ErrorExample): Html {
  return html`${source === mended ? '' : html`<pre tabindex="0"><code>${mended}</code></pre>`} ${listFiles(mendedFiles)}`
}

function listFiles(files: Readonly<Record<string, string>>): Html[] {
  return Object.entries(files).map(
    ([name, text]) =>
      html`<p><code>${name}</code>:</p>
        <pre tabindex="0"><code>${text}</code></pre>`,
  )
}

/** Commands look like what one types, and addresses of this host lead there. */
function withCommands(words: string): (Html | string)[] {
  return words
    .split(/(\/status\/tex|\\(?:[a-zA-Z]+\*?(?:\[[^\]]*\])?(?:\{[^{}]*\})*|[\\()[\]&_-]))/)
    .map((part, index) => {
      if (index % 2 === 0) return part
      return part.startsWith('/') ? html`<a href="${part}">${part}</a>` : html`<code>${part}</code>`
    })
}

/** What else is about the same. */
function neighbours({ code }: ErrorPage): Html | '' {
  const family = errorFamilies.find(({ pages }) => pages.some((each) => each.code === code))
  if (family === undefined) return ''
  const others = family.pages.filter((each) => each.code !== code)
  return html`<h2>${family.title}</h2>
    <ul>
      ${others.map((other) => html`<li><a href="/docs/errors/${other.code}">${other.title}</a></li>`)}
    </ul>`
}
