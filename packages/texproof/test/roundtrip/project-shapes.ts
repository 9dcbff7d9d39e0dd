/** The shapes in which projects arrive: what editors, operating systems and submission systems make of the same files. */
import { gzipSync } from 'node:zlib'

import { packTar } from 'modern-tar'

import { makeZip } from '../support/make-zip.ts'

/** An archive to import. */
export interface Project {
  readonly shape: string
  readonly fileName: string
  readonly bytes: Uint8Array
}

type Files = ReadonlyMap<string, Uint8Array>

/** One shape of a project. */
interface Shape {
  readonly name: string
  readonly arrange: (files: Files) => Files
}

const text = (content: string): Uint8Array => new TextEncoder().encode(content)
const within = (folder: string, files: Files): Files =>
  new Map([...files].map(([path, bytes]) => [`${folder}/${path}`, bytes]))

const shapes: readonly Shape[] = [
  { name: 'files at the top', arrange: (files) => files },
  { name: 'in a folder', arrange: (files) => within('My paper', files) },
  {
    name: 'in a folder, by macOS',
    arrange: (files) =>
      new Map([
        ...within('paper', files),
        ['paper/.DS_Store', text('Bud1')],
        ...[...files.keys()].map((path) => [`__MACOSX/paper/._${path.replaceAll('/', '_')}`, text('Mac')] as const),
      ]),
  },
  {
    name: 'with products of a build',
    arrange: (files) =>
      new Map([
        ['main.pdf', text('%PDF-1.5 from another machine')],
        ['main.log', text('This is pdfTeX\n')],
        ['main.aux', text('\\relax \n')],
        ['main.out', text('')],
        ['main.synctex.gz', text('')],
        ['main.fls', text('PWD /home/alice/paper\n')],
        ...files,
      ]),
  },
  {
    name: 'paper beside other work',
    arrange: (files) =>
      new Map([
        ['README.md', text('# Data and paper\n')],
        ['analysis/plot.py', text('print("plot")\n')],
        ['data/heights.csv', text('hour,height\n1,2.5\n')],
        ...within('paper', files),
      ]),
  },
  {
    name: 'with notes and a letter',
    arrange: (files) =>
      new Map([
        ...files,
        ['notes/ideas.txt', text('Ideas.\n')],
        ['.gitignore', text('*.aux\n')],
        ['.vscode/settings.json', text('{}\n')],
      ]),
  },
]

/** Packs files in one of the shapes, as a zip or, every second time, as a tar.gz. */
export async function makeProject(files: Files, number: number): Promise<Project> {
  const { name, arrange } = shapes[number % shapes.length] as Shape
  const arranged = [...arrange(files)]
  if (Math.floor(number / shapes.length) % 2 === 0)
    return {
      shape: `zip, ${name}`,
      fileName: 'paper.zip',
      bytes: makeZip(arranged.map(([path, data]) => ({ name: path, data }))),
    }
  const entries = arranged.map(([path, body]) => ({ header: { name: path, size: body.length }, body }))
  return { shape: `tar.gz, ${name}`, fileName: 'paper.tar.gz', bytes: gzipSync(await packTar(entries)) }
}
