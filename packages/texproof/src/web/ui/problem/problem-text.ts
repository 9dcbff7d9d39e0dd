import { codeOf } from '@texproof/platex/explain'
import { html } from 'hono/html'

import { findErrorPage } from '../../../docs/find-error-page.ts'
import type { BuildProblem } from '../../../domain/build.ts'
import type { Html } from '../html.ts'

/** The remedy of a problem, with the install command as code. */
export function remedyText({ remedy = '', package: missing }: BuildProblem): Html | string {
  const command = missing?.command ?? null
  if (command === null) return remedy
  const words = remedy.endsWith(command) ? remedy.slice(0, -command.length) : remedy
  return html`${words} <code>${command}</code>`
}

/** Link to the page about a kind of problem; empty for an unknown kind. */
export function explanationLink(problem: BuildProblem): Html | '' {
  const page = findErrorPage(codeOf(problem) ?? '')
  if (page === null) return ''
  return html`<a class="explained" href="/docs/errors/${page.code}" aria-label="Explain: ${page.title}">Explain</a>`
}
