/**
 * Replaces `\includesvg` by `\includeinkscape` of the PDF that the build made of the picture: targets run no converter. The
 * svg package reads the size from a small file beside the PDF, as Inkscape writes it.
 */
import { posix } from 'node:path'

import { svgInclusion } from '@texproof/platex/project'

import { mapCode } from './split-source.ts'

/** The files of a package, with the PDFs of its SVG pictures. */
export interface DrawnPackage {
  readonly files: ReadonlyMap<string, Uint8Array>
  /** Path of a picture in the package → PDF. */
  readonly drawn: ReadonlyMap<string, Uint8Array>
  readonly verbatimEnvironments: ReadonlySet<string>
}

const INCLUSION = /(?<!\\)\\includesvg(\s{0,9}(?:\[[^\]]{0,2000}\]\s{0,9})?)\{([^{}\\#]{1,400})\}/g
const FOLDERS = /\\svgpath\s{0,9}\{((?:\s{0,9}\{[^{}]{0,400}\}){1,50})\s{0,9}\}/g
const LATEX_SOURCE = /\.(?:tex|ltx|latex)$/i

/** The files with the PDFs in place of the pictures. Pictures that macros name stay. */
export function includeConverted({ files, drawn, verbatimEnvironments }: DrawnPackage): Map<string, Uint8Array> {
  const result = new Map(files)
  if (drawn.size === 0) return result
  // Latin-1 keeps every byte, whatever the encoding.
  const sources = new Map(
    [...files].filter(([path]) => LATEX_SOURCE.test(path)).map(([path, bytes]) => [path, toLatin1(bytes)] as const),
  )
  const folders = ['', ...[...sources.values()].flatMap(findSvgFolders)]
  for (const [path, text] of sources) {
    const replaced = mapCode(text, verbatimEnvironments, (code) =>
      code.replaceAll(INCLUSION, (command, options: string, name: string) => {
        const picture = candidates(name, folders).find((candidate) => drawn.has(candidate))
        if (picture === undefined) return command
        const stem = `${picture.replace(/\.svg$/, '')}_svg-tex`
        result.set(`${stem}.pdf`, drawn.get(picture) ?? new Uint8Array())
        result.set(`${stem}.pdf_tex`, svgInclusion(posix.basename(`${stem}.pdf`)))
        result.delete(picture)
        return `\\includeinkscape${options}{${Buffer.from(`${stem}.pdf_tex`).toString('latin1')}}`
      }),
    )
    if (replaced !== text) result.set(path, Buffer.from(replaced, 'latin1'))
  }
  return result
}

function toLatin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

function findSvgFolders(text: string): readonly string[] {
  return [...text.matchAll(FOLDERS)].flatMap(([, list = '']) =>
    [...list.matchAll(/\{([^{}]{0,400})\}/g)].map(([, folder = '']) => folder.trim()),
  )
}

/** Paths are UTF-8. */
function candidates(name: string, folders: readonly string[]): readonly string[] {
  const file = Buffer.from(
    name
      .trim()
      .replaceAll('"', '')
      .replace(/\.svg$/, ''),
    'latin1',
  ).toString()
  return folders.map((folder) => posix.normalize(`${folder}${file}.svg`))
}
