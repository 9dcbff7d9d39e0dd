/** Files exported from a document, and the shapes in which arXiv and its users distribute the sources of a paper. */
import { gzipSync } from 'node:zlib'

import { unzipSync } from 'fflate'
import { packTar } from 'modern-tar'

import type { PackOptions, PackTarget } from '../../src/operations/export/types.ts'
import type { Project } from './project-shapes.ts'

/** A package to make. */
export interface Export {
  readonly name: string
  readonly target: PackTarget
  readonly options: PackOptions
}

const plain: PackOptions = { isFlat: false, withoutComments: false, withoutNotes: false, isAnonymous: false }

/** Packages that give the same pages. */
const faithful: readonly Export[] = [
  { name: 'arXiv', target: 'arxiv', options: plain },
  { name: 'journal', target: 'journal', options: plain },
  { name: 'arXiv, flat', target: 'arxiv', options: { ...plain, isFlat: true } },
  { name: 'arXiv, without comments', target: 'arxiv', options: { ...plain, withoutComments: true } },
  {
    name: 'journal, flat, without comments',
    target: 'journal',
    options: { ...plain, isFlat: true, withoutComments: true },
  },
]
const anonymous: Export = { name: 'journal, anonymous', target: 'journal', options: { ...plain, isAnonymous: true } }

/** The package of a document to import again. */
export function chooseFirstExport(number: number): Export {
  return faithful[number % faithful.length] as Export
}

/** The package of the imported one. */
export function chooseSecondExport(number: number): Export {
  const all = [anonymous, ...faithful]
  return all[number % all.length] as Export
}

type Files = ReadonlyMap<string, Uint8Array>

/** One shape of a source; `arrange` returns null for a package that cannot have it. */
interface Shape {
  readonly name: string
  readonly arrange: (files: Files) => Promise<Omit<Project, 'shape'> | null>
}

const README = '00README.json'
const text = (content: string): Uint8Array => new TextEncoder().encode(content)
const readText = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString()

const shapes: readonly Shape[] = [
  { name: 'the package', arrange: async () => null },
  { name: 'tar.gz', arrange: (files) => tarGz(files) },
  { name: 'one compressed source', arrange: async (files) => compressOnlySource(files) },
  {
    name: 'tar.gz with ancillary files',
    arrange: (files) =>
      tarGz(
        new Map([
          ...files,
          ['anc/heights.csv', text('hour,height\n1,2.5\n')],
          ['anc/extra.tex', text('\\documentclass{article}\n\\begin{document}Extra.\\end{document}\n')],
        ]),
      ),
  },
  { name: 'tar.gz with settings of 2020', arrange: async (files) => replaceReadme(files) },
  {
    name: 'tar.gz in a folder',
    arrange: (files) => tarGz(new Map([...files].map(([path, bytes]) => [`arXiv-2401.00001v2/${path}`, bytes]))),
  },
  { name: 'tar.gz, root named ms.tex', arrange: async (files) => renameRoot(files) },
]

/** Passes a package on in one of the shapes; a package that cannot have it stays as it is. */
export async function makeSource(zip: Uint8Array, number: number): Promise<Project> {
  const { name, arrange } = shapes[number % shapes.length] as Shape
  const arranged = await arrange(new Map(Object.entries(unzipSync(zip))))
  return arranged === null ? { shape: 'the package', fileName: 'source.zip', bytes: zip } : { shape: name, ...arranged }
}

async function tarGz(files: Files): Promise<Omit<Project, 'shape'>> {
  const entries = [...files].map(([path, body]) => ({ header: { name: path, size: body.length }, body }))
  return { fileName: '2401.00001.tar.gz', bytes: gzipSync(await packTar(entries)) }
}

/** arXiv sends a paper of one file as this file, without an archive. */
function compressOnlySource(files: Files): Omit<Project, 'shape'> | null {
  const [path, ...others] = [...files.keys()].filter((name) => name !== README)
  const source = files.get(path ?? '')
  if (path !== 'main.tex' || source === undefined || others.length > 0 || statesEngine(files)) return null
  return { fileName: 'main.tex.gz', bytes: gzipSync(source) }
}

/** Before 2023, the file had another form, without an engine. */
function replaceReadme(files: Files): Promise<Omit<Project, 'shape'>> | null {
  if (statesEngine(files)) return null
  const others = [...files].filter(([path]) => path !== README)
  return tarGz(new Map([...others, ['00README.XXX', text('nohypertex\n')]]))
}

function statesEngine(files: Files): boolean {
  return files.has(README) && !readText(files.get(README)).includes('"pdflatex"')
}

/** Sources that contain their own name stay as they are. */
async function renameRoot(files: Files): Promise<Omit<Project, 'shape'> | null> {
  const isNamed = [...files].some(
    ([path, bytes]) => path !== README && /\bmain\b|\\jobname/.test(Buffer.from(bytes).toString('latin1')),
  )
  if (!files.has('main.tex') || isNamed) return null
  const renamed = [...files].map(([path, bytes]) =>
    path === README
      ? ([path, text(readText(bytes).replace('main.tex', 'ms.tex'))] as const)
      : ([path.replace(/^main(?=[.-])/, 'ms'), bytes] as const),
  )
  return tarGz(new Map(renamed))
}
