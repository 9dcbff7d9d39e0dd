import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import type { Page } from 'playwright-core'

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

const everyRule: readonly string[] = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/**
 * What axe finds serious or critical on a page, and table headers without text, one sentence each, by the rules or sets of
 * rules given. The page's policy must be bypassed for it to run.
 */
export async function findBarriers(page: Page, rules = everyRule): Promise<readonly string[]> {
  await page.evaluate(axe)
  return page.evaluate(runAxe, rules)
}

interface AxeWindow {
  readonly axe: {
    run(options: object): Promise<{
      readonly violations: readonly {
        readonly id: string
        readonly impact: string
        readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[]
      }[]
    }>
  }
}

/** Runs in the page. */
async function runAxe(runOnly: readonly string[]): Promise<string[]> {
  // Of the other kinds axe would describe every element.
  const options = { runOnly, iframes: false, resultTypes: ['violations'] }
  const { violations } = await (globalThis as unknown as AxeWindow).axe.run(options)
  return violations
    .filter(({ id, impact }) => impact === 'serious' || impact === 'critical' || id === 'empty-table-header')
    .map(
      ({ id, nodes }) =>
        `${id} at ${nodes
          .map(({ target }) => target.join(' '))
          .slice(0, 3)
          .join(', ')}: ${nodes[0]?.failureSummary ?? ''}`,
    )
}
