import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import type { BrowserContext, Page } from 'playwright-core'

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

const everyRule: readonly string[] = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Loads axe into every page of a context, for a part of the time that `findBarriers` takes to load it into a page. */
export async function preloadAxe(context: BrowserContext): Promise<void> {
  await context.addInitScript({ content: axe })
}

/** Rules that are reported although their impact is lower than the impact of the others. */
const reportedRules: readonly string[] = ['empty-table-header', 'landmark-unique']

/**
 * The serious and critical violations that axe finds on a page for the given rules, table headers without text, and
 * landmarks of the same name, one sentence each. Requires a page that bypasses its content policy.
 */
export async function findBarriers(page: Page, rules = everyRule): Promise<readonly string[]> {
  if (await page.evaluate<boolean>(`typeof axe === 'undefined'`)) await page.evaluate(axe)
  return page.evaluate(runAxe, { rules, reportedRules })
}

interface AxeWindow {
  readonly axe: {
    /** Private: `getRules()`, which is public, omits the impact. */
    readonly _audit: { readonly rules: readonly { readonly id: string; readonly impact: string }[] }
    run(options: object): Promise<{
      readonly violations: readonly {
        readonly id: string
        readonly impact: string
        readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[]
      }[]
    }>
  }
}

interface AxeRules {
  readonly rules: readonly string[]
  readonly reportedRules: readonly string[]
}

/** Runs in the page. */
async function runAxe({ rules: runOnly, reportedRules }: AxeRules): Promise<string[]> {
  const { axe } = globalThis as unknown as AxeWindow
  const isReported = ({ id, impact }: { readonly id: string; readonly impact: string }): boolean =>
    impact === 'serious' || impact === 'critical' || reportedRules.includes(id)
  // The impact of a violation is the impact of its rule. Rules that are not reported would take half of the time.
  const unreported = axe._audit.rules.filter((rule) => !isReported(rule)).map(({ id }) => [id, { enabled: false }])
  // Violations only: otherwise axe describes every element.
  const options = { runOnly, rules: Object.fromEntries(unreported), iframes: false, resultTypes: ['violations'] }
  const { violations } = await axe.run(options)
  return violations.filter(isReported).map(
    ({ id, nodes }) =>
      `${id} at ${nodes
        .map(({ target }) => target.join(' '))
        .slice(0, 3)
        .join(', ')}: ${nodes[0]?.failureSummary ?? ''}`,
  )
}
