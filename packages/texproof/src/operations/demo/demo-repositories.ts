/** The repositories that `texproof demo` creates: one for each kind of document, all written for this project. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { DemoRepository } from './demo-repository.ts'
import { errorExamples } from './error-examples.ts'
import { problemSheets } from './problem-sheets.ts'

/** All of them, in the order in which they are created: the fast ones first. */
export async function readDemoRepositories(): Promise<readonly DemoRepository[]> {
  return [await hello(), await tides(), await talk(), await thesis(), errorExamples, problemSheets, ...(await others())]
}

type Files = ReadonlyMap<string, string | Uint8Array>

async function hello(): Promise<DemoRepository> {
  return {
    owner: 'alice',
    name: 'hello-paper',
    description: 'A minimal paper: one file, one page',
    visibility: 'public',
    commits: [{ message: 'Add a minimal paper', hoursAgo: 700, files: await readPaper('hello') }],
  }
}

const TIDES_README = String.raw`# Tides in narrow channels

The tidal range $R$ grows where the width $b$ of a channel shrinks. Green's law[^green] predicts

$$
R(x) = R_0 \sqrt{\frac{b_0}{b(x)}} .
$$

We compare it with five gauges, and find that friction explains the difference.

| File | Contents |
|---|---|
| [main.tex](main.tex), [sections](sections) | the paper |
| [analysis.ipynb](analysis.ipynb) | computes the table and the figure |
| [data/gauges.csv](data/gauges.csv) | measured and predicted range at each gauge |

- [x] Submit (tag ${'`v1`'})
- [x] Answer the first referee (tag ${'`v2`'})
- [ ] Answer the second referee (branch ${'`referee-2`'})

[^green]: George Green, *On the Motion of Waves in a Variable Canal of Small Depth and Width*, 1838.
`

const GAUGES = `gauge,"distance, km","width, m","measured range, m","Green's law, m","with friction, m"
Mouth,0,2400,1.80,1.80,1.80
Ferry,6.5,1850,2.01,2.05,1.99
Mill,13.2,1100,2.46,2.66,2.49
Narrows,17.9,620,3.24,3.54,3.22
Quay,24.0,540,3.27,3.79,3.29
`

/** The text that the second version adds to the discussion. */
const WHERE_FRICTION_ACTS = / Most of the energy is lost[^]*?largest\./

async function tides(): Promise<DemoRepository> {
  const files = await readPaper('tides')
  const main = String(files.get('main.tex') ?? '')
  const model = String(files.get('sections/model.tex') ?? '')
  return {
    owner: 'alice',
    name: 'tides',
    description: "Green's law and friction, compared with five tide gauges",
    visibility: 'public',
    commits: [
      {
        message: 'Write the first draft',
        hoursAgo: 600,
        files: new Map([
          ...[...files].filter(([path]) => path !== 'analysis.ipynb'),
          ['README.md', TIDES_README],
          ['main.tex', main.replace(WHERE_FRICTION_ACTS, '')],
          ['sections/model.tex', model.replace(/The first term is Green's law\.[^]*$/, '')],
        ]),
        tag: 'v1',
      },
      {
        message: 'Add the analysis and its data',
        hoursAgo: 320,
        files: new Map<string, string | Uint8Array>([
          ['sections/model.tex', model],
          ['analysis.ipynb', files.get('analysis.ipynb') ?? ''],
          ['data/gauges.csv', GAUGES],
        ]),
      },
      {
        message: 'Explain where friction acts\n\nThe first referee asked where the energy is lost.',
        hoursAgo: 26,
        files: new Map([['main.tex', main]]),
        tag: 'v2',
      },
      {
        branch: 'referee-2',
        message: "Clarify the assumptions of Green's law",
        author: 'bob',
        hoursAgo: 3,
        files: new Map([
          [
            'sections/model.tex',
            model.replace('If no energy is lost,', 'If no energy is lost to friction and none is reflected,'),
          ],
        ]),
      },
    ],
  }
}

async function talk(): Promise<DemoRepository> {
  return {
    owner: 'alice',
    name: 'talk',
    description: 'Slides for a seminar, with Beamer',
    visibility: 'public',
    commits: [{ message: 'Add the slides', hoursAgo: 48, files: await readPaper('slides') }],
  }
}

async function thesis(): Promise<DemoRepository> {
  const files = await readPaper('thesis')
  const first = [...files].filter(([path]) => path !== 'chapters/channels.tex')
  const withoutChannels = (text: string): string => text.replace('\\include{chapters/channels}\n', '')
  return {
    owner: 'alice',
    name: 'thesis',
    description: 'A thesis: chapters, figures, tables, LuaLaTeX, biblatex',
    visibility: 'public',
    commits: [
      {
        message: 'Assemble the chapters',
        hoursAgo: 400,
        files: new Map([...first, ['thesis.tex', withoutChannels(String(files.get('thesis.tex') ?? ''))]]),
      },
      {
        message: 'Add the chapter on channels',
        hoursAgo: 5,
        files: new Map([...files].filter(([path]) => path === 'thesis.tex' || path === 'chapters/channels.tex')),
      },
    ],
  }
}

async function others(): Promise<readonly DemoRepository[]> {
  const paper = await readPaper('hello')
  const title = (text: string): ReadonlyMap<string, string> =>
    new Map([['main.tex', String(paper.get('main.tex') ?? '').replace('Hello, Paper', text)]])
  return [
    {
      owner: 'alice',
      name: 'private-draft',
      description: 'A private draft',
      visibility: 'private',
      commits: [{ message: 'Start a draft', hoursAgo: 12, files: title('A Draft') }],
    },
    {
      owner: 'alice',
      name: 'old-paper',
      description: 'A published paper, archived',
      visibility: 'public',
      isArchived: true,
      commits: [{ message: 'Publish', hoursAgo: 9000, files: title('An Old Paper'), tag: 'v1.0' }],
    },
    {
      owner: 'alice',
      name: 'code-only',
      description: 'A Python script without LaTeX',
      visibility: 'public',
      commits: [{ message: 'Add the script', hoursAgo: 800, files: await readPaper('code') }],
    },
  ]
}

async function readPaper(name: string): Promise<Files> {
  const root = join(import.meta.dirname, '../../templates/papers', name)
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name: file }) => join(parentPath, file))
  return new Map(
    await Promise.all(paths.map(async (path) => [path.slice(root.length + 1), await readFile(path)] as const)),
  )
}
