import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** A source file, and its imports from both packages. */
export interface Source {
  /** Relative to the root, like `packages/platex/src/index.ts`. */
  readonly path: string
  readonly text: string
  readonly lines: number
  readonly imports: ReadonlySet<string>
}

/** `from './x.ts'`, `import './x.ts'`, `import('./x.ts')` and `new URL('./x.ts', …)`; types count like values. */
const reference = /(?:\bfrom|\bimport|\bimport\(|\bnew URL\()\s*'(\.[^']*\.ts|@texproof\/platex[^']*)'/g

/** The TypeScript sources of a checkout, without tests, by path. */
export function readSources(root: string): Source[] {
  const entries = readEntries(root)
  return list(root, 'packages/*/src/**/*.ts', ['**/*.test.ts']).map((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    const imports = [...text.matchAll(reference)].map(([, name = '']) =>
      name.startsWith('.') ? normalize(join(dirname(path), name)) : (entries.get(name) ?? name),
    )
    return { path, text, lines: countLines(text), imports: new Set(imports) }
  })
}

/** Number of lines of tests and their support files. */
export function countTestLines(root: string): { readonly files: number; readonly lines: number } {
  const paths = list(root, 'packages/**/*.ts').filter((path) => /\.test\.ts$|^packages\/[^/]+\/test\//.test(path))
  const lines = paths.map((path) => countLines(readFileSync(join(root, path), 'utf8')))
  return { files: paths.length, lines: lines.reduce((sum, count) => sum + count, 0) }
}

function countLines(text: string): number {
  return text.split('\n').length - 1
}

function list(root: string, pattern: string, exclude: readonly string[] = []): string[] {
  return globSync(pattern, { cwd: root, exclude: ['**/node_modules/**', '**/dist/**', ...exclude] }).sort()
}

/** Entry points of the library: `@texproof/platex/client` → `packages/platex/src/client.ts`. */
function readEntries(root: string): Map<string, string> {
  const file = join(root, 'packages/platex/package.json')
  if (!existsSync(file)) return new Map()
  const { exports = {} }: { exports?: Record<string, { 'texproof-source'?: string } | string> } = JSON.parse(
    readFileSync(file, 'utf8'),
  )
  return new Map(
    Object.entries(exports).flatMap(([name, target]) => {
      const source = typeof target === 'string' ? undefined : target['texproof-source']
      return source === undefined ? [] : [[join('@texproof/platex', name), join('packages/platex', source)] as const]
    }),
  )
}
