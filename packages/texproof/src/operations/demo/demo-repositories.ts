/** The repositories that `texproof demo` creates: one for each kind of document, all written for this project. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { DemoRepository } from './demo-repository.ts'
import { errorExamples } from './error-examples.ts'
import { problemSheets } from './problem-sheets.ts'

/** All of them, in the order in which they are made: the quick ones first. */
export async function readDemoRepositories(): Promise<readonly DemoRepository[]> {
  return [await hello(), await tides(), await talk(), await thesis(), errorExamples, problemSheets, ...(await others())]
}

type Files = ReadonlyMap<string, string | Uint8Array>

async function hello(): Promise<DemoRepository> {
  return {
    owner: 'alice',
    name: 'hello-paper',
    description: 'The smallest paper that is worth a link',
    visibility: 'public',
    commits: [{ message: 'Say hello', hoursAgo: 700, files: await readPaper('hello') }],
  }
}

const TIDES_README = `# Tides in narrow channels

Why the head of a channel is wetter than its mouth.

- [main.tex](main.tex) is the paper, [sections](sections) its parts.
- [data/gauges.csv](data/gauges.csv) is what the five gauges measured.

\`v1\` was submitted; \`v2\` answers the first referee.
`

const GAUGES = `gauge,"distance from the mouth, km","width, m","tidal range, m","law of Green, m"
Mouth,0,2400,1.80,1.80
Ferry,6.5,1850,2.04,2.05
Mill,13.2,1100,2.61,2.66
Narrows,17.9,620,3.38,3.54
Quay,24.0,540,3.29,3.79
`

async function tides(): Promise<DemoRepository> {
  const files = await readPaper('tides')
  const main = String(files.get('main.tex') ?? '')
  const model = String(files.get('sections/model.tex') ?? '')
  return {
    owner: 'alice',
    name: 'tides',
    description: 'Why the head of a channel is wetter than its mouth',
    visibility: 'public',
    commits: [
      {
        message: 'Write down the argument',
        hoursAgo: 600,
        files: new Map([
          ...files,
          ['README.md', TIDES_README],
          ['sections/model.tex', model.replace(/\nThe gauges of[^]*$/, '')],
        ]),
        tag: 'v1',
      },
      {
        message: 'Say what the gauges measured',
        hoursAgo: 320,
        files: new Map([
          ['sections/model.tex', model],
          ['data/gauges.csv', GAUGES],
        ]),
      },
      {
        message: 'Mention friction in the conclusion\n\nThe referee asked where the rest of the growth goes.',
        hoursAgo: 26,
        files: new Map([
          ['main.tex', main.replace('explains the rest.', 'explains the rest, and most of it in the narrows.')],
        ]),
        tag: 'v2',
      },
      {
        branch: 'referee-2',
        message: 'Answer the second referee',
        author: 'bob',
        hoursAgo: 3,
        files: new Map([
          [
            'sections/model.tex',
            model.replace('Where nothing is lost,', 'Where nothing is lost to friction or to wind,'),
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
    description: 'Slides for the seminar',
    visibility: 'public',
    commits: [{ message: 'Draw the slides', hoursAgo: 48, files: await readPaper('slides') }],
  }
}

async function thesis(): Promise<DemoRepository> {
  const files = await readPaper('thesis')
  const first = [...files].filter(([path]) => path !== 'chapters/channels.tex')
  const withoutChannels = (text: string): string => text.replace('\\include{chapters/channels}\n', '')
  return {
    owner: 'alice',
    name: 'thesis',
    description: 'Tides and the people who wait for them: many files, LuaLaTeX, biblatex',
    visibility: 'public',
    commits: [
      {
        message: 'Bring the chapters together',
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
      description: 'Not ready to be seen',
      visibility: 'private',
      commits: [{ message: 'Begin in private', hoursAgo: 12, files: title('A Draft') }],
    },
    {
      owner: 'alice',
      name: 'old-paper',
      description: 'Published, and left as it was',
      visibility: 'public',
      isArchived: true,
      commits: [{ message: 'Publish', hoursAgo: 9000, files: title('An Old Paper'), tag: 'v1.0' }],
    },
    {
      owner: 'alice',
      name: 'code-only',
      description: 'A program, without any paper',
      visibility: 'public',
      commits: [{ message: 'Read the gauges', hoursAgo: 800, files: await readPaper('code') }],
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
