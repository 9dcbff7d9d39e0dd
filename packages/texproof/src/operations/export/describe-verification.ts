import type { Verification } from './types.ts'

/** Differing pages that are named. */
const MAX_NAMED = 12

/** The verification of a package as a sentence. */
export function describeVerification(verification: Verification): string {
  switch (verification.kind) {
    case 'same':
      return verification.pageCount === 1
        ? 'Verified: the package alone gives the same page.'
        : `Verified: the package alone gives the same ${verification.pageCount} pages.`
    case 'failed':
      return `The package alone does not build: ${verification.problem}`
    case 'different': {
      const { pageCounts, pages, isExpected } = verification
      const [original, rebuilt] = pageCounts
      const named = `${pages.slice(0, MAX_NAMED).join(', ')}${pages.length > MAX_NAMED ? ' …' : ''}`
      const counts = original === rebuilt ? '' : ` The document has ${original}, and the package ${rebuilt} pages.`
      return isExpected
        ? `The package alone builds. Without the authors, these pages differ: ${named}.${counts}`
        : `The package alone gives different pages: ${named}.${counts}`
    }
  }
}
