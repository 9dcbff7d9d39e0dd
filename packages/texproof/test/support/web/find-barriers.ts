import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import type { BrowserContext, Page } from 'playwright-core'

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

const everyRule: readonly string[] = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Loads axe into every page of a context, for a part of the time that `findBarriers` takes to load it into a page. */
export async function preloadAxe(context: BrowserContext): Promise<void> {
  await context.addInitScript({ content: axe })
}

/**
 * The serious and critical violations that axe finds on a page for the given rules, and table headers without text, one
 * sentence each. Requires a page that bypasses its content policy.
 */
export async function findBarriers(page: Page, rules = everyRule): Promise<readonly string[]> {
  if (await page.evaluate<boolean>(`typeof axe === 'undefined'`)) await page.evaluate(axe)
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
  // Violations only: otherwise axe describes every element.
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
