import { html } from 'hono/html'

import type { BuildProblem } from '../../../domain/build.ts'
import type { Html } from '../html.ts'

/** What to do about a problem, with the command that installs what is missing set as code. */
export function remedyText({ remedy = '', package: missing }: BuildProblem): Html | string {
  const command = missing?.command ?? null
  if (command === null) return remedy
  const words = remedy.endsWith(command) ? remedy.slice(0, -command.length) : remedy
  return html`${words} <code>${command}</code>`
}
