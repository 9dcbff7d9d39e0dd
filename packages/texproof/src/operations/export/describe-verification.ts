import type { Verification } from './types.ts'

/** Differing pages that are named. */
const MAX_NAMED = 12

/** The verification of a package as a sentence. */
export function describeVerification(verification: Verification): string {
  switch (verification.kind) {
    case 'same':
      return verification.pageCount === 1
        ? 'Verified: the package builds on its own and produces the same page.'
        : `Verified: the package builds on its own and produces the same ${verification.pageCount} pages.`
    case 'failed':
      return `The package does not build on its own: ${verification.problem}`
    case 'different': {
      const { pageCounts, pages, removed } = verification
      const [original, rebuilt] = pageCounts
      const named = `${pages.slice(0, MAX_NAMED).join(', ')}${pages.length > MAX_NAMED ? ' …' : ''}`
      const counts = original === rebuilt ? '' : ` Pages: ${original} in the document, ${rebuilt} in the package.`
      return removed.length === 0
        ? `The package produces different pages: ${named}.${counts}`
        : `The package builds on its own. Without the ${removed.join(' and ')}, these pages differ: ${named}.${counts}`
    }
  }
}
