import { oneFile, quick, type HostileInput } from '../hostile-input.ts'

function notebook(cells: readonly unknown[], metadata: unknown = { language_info: { name: 'python' } }): string {
  return JSON.stringify({ nbformat: 4, metadata, cells })
}

function code(source: unknown, outputs: unknown = []): unknown {
  return { cell_type: 'code', source, execution_count: 1, outputs }
}

const display = (data: unknown): unknown => ({ output_type: 'display_data', data })

/** Notebooks that are large, deeply nested or malformed. */
const texts: Readonly<Record<string, string>> = {
  cells: notebook(Array.from({ length: 60_000 }, () => code('a'))),
  'markdown-cells': notebook(
    Array.from({ length: 500 }, () => ({ cell_type: 'markdown', source: '# a\n\n$x$ '.repeat(90) })),
  ),
  outputs: notebook([
    code(
      'a',
      Array.from({ length: 50_000 }, () => display({ 'text/plain': 'a' })),
    ),
  ]),
  deep: `{"nbformat":4,"cells":${'['.repeat(400_000)}${']'.repeat(400_000)}}`,
  'deep-source': notebook([code(JSON.parse(`${'['.repeat(2_000)}${']'.repeat(2_000)}`))]),
  'long-source': notebook([code('"'.repeat(900_000))]),
  'many-lines': notebook([code(Array.from({ length: 200_000 }, () => '\n'))]),
  'slow-source': notebook(Array.from({ length: 40 }, () => code('f"{'.repeat(8_000)))),
  'long-output': notebook([
    code('a', [{ output_type: 'stream', name: 'stdout', text: '\r\u001B[1m'.repeat(150_000) }]),
  ]),
  base64: notebook([code('a', [display({ 'image/png': `iVBORw0KGgo${'A'.repeat(950_000)}!` })])]),
  'large-image': notebook([code('a', [display({ 'image/png': `iVBORw0KGgo${'A'.repeat(950_000)}` })])]),
  svg: notebook([code('a', [display({ 'image/svg+xml': `<svg>${'<g>'.repeat(300_000)}` })])]),
  latex: notebook([code('a', [display({ 'text/latex': `$${'{'.repeat(900_000)}$` })])]),
  'latex-macro': notebook([
    code(
      'a',
      Array.from({ length: 50 }, () => display({ 'text/latex': String.raw`$\def\a{\a\a}\a$` })),
    ),
  ]),
  attachments: notebook(
    Array.from({ length: 90 }, () => ({
      cell_type: 'markdown',
      source: '![a](attachment:a)'.repeat(500),
      attachments: { a: { 'image/png': `iVBORw0KGgo${'A'.repeat(400)}` } },
    })),
  ),
  metadata: notebook([], { language_info: { name: 'a'.repeat(900_000) } }),
  prototype: '{"nbformat":4,"__proto__":{"cells":[]},"constructor":1,"cells":[{"cell_type":"__proto__"}]}',
  other: '{"nbformat":4,"cells":null}',
}

const quickNames: ReadonlySet<string> = new Set(['cells', 'attachments'])

/** Jupyter notebooks. */
export const notebookInputs: readonly HostileInput[] = Object.entries(texts).map(([name, text]) => {
  const input = oneFile(`notebook-${name}`, 'a.ipynb', text)
  return quickNames.has(name) ? quick(input) : input
})
