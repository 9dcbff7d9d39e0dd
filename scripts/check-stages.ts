import type { Stage } from './run-stage.ts'

const node = 'scripts/pinned-node'
const bin = 'node_modules/.bin'
/** The native compiler, which needs a third of the time of the one in JavaScript. */
const tsc = `node_modules/@typescript/typescript-linux-${process.arch}/lib/tsc`
const written = ['packages', 'scripts', 'bench']

/** The checks that run before the tests, the longest first. Each is quick and can be run alone. */
export const checkStages: readonly Stage[] = [
  { title: 'types', command: [tsc, '-p', 'tsconfig.json', '--checkers', '2'] },
  { title: 'format', command: [node, `${bin}/oxfmt`, '--list-different', ...written] },
  { title: 'lint', command: [node, `${bin}/oxlint`, '--deny-warnings', ...written] },
  { title: 'types of browser scripts', command: [tsc, '-p', 'packages/texproof/src/web/tsconfig.browser.json'] },
  {
    title: 'layers',
    command: [
      node,
      'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
      '--config',
      '.dependency-cruiser.cjs',
      'packages/platex/src',
      'packages/texproof/src',
    ],
  },
  { title: 'endpoints', command: [node, 'scripts/check-endpoints.ts'] },
  { title: 'swallowed errors', command: [node, 'scripts/check-swallowed-errors.ts'] },
  { title: 'structure', command: [node, 'scripts/check-structure.ts'] },
  { title: 'glossary', command: [node, 'scripts/check-glossary.ts'] },
  { title: 'paths named in the documents', command: [node, 'scripts/check-doc-paths.ts'] },
]
