import type { Build, NewBuild } from '../../src/domain/build.ts'

/** A build of main.tex on main, to queue; `details` sets what a test is about. */
export function exampleNewBuild(details: Partial<NewBuild> = {}): NewBuild {
  return {
    repositoryId: 1,
    ref: 'refs/heads/main',
    commitId: 'c'.repeat(40),
    treeId: 't'.repeat(40),
    rootFile: 'main.tex',
    document: 'main',
    engine: 'pdflatex',
    bibliography: 'none',
    reason: '',
    ...details,
  }
}

/** A build of main.tex on main that made a PDF of 14 pages in 4.1 seconds. */
export function exampleBuild(details: Partial<Build> = {}): Build {
  return {
    ...exampleNewBuild(),
    id: 1,
    number: 1,
    state: 'succeeded',
    pdfId: 'p',
    pageCount: 14,
    errorCount: 0,
    warningCount: 0,
    errors: [],
    warnings: [],
    passes: [],
    createdAt: 0,
    startedAt: 1_000,
    finishedAt: 5_100,
    ...details,
  }
}
