import { stat } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'

import { CliError } from '../cli-error.ts'
import { chooseDocument } from './choose-document.ts'
import type { CompileCommandOptions } from './options.ts'
import { readFolder, type Source } from './read-source.ts'

const SOURCE = /\.(?:tex|ltx|latex|sty|cls|dtx)$|(?:^|\/)\.?latexmkrc$/i
// Bounded repetitions: any text must be read in linear time.
const PARENTS = /(?<![\w.-])(?:\.\.\/){1,16}/g

/**
 * The whole working tree of git, if the sources name files above their folder: `\input{../shared/macros}`. A push builds
 * the document with these files, too. The source itself if it names none, or the tree is absent or above the limits.
 */
export async function widenSource(source: Source, options: CompileCommandOptions): Promise<Source> {
  if (source.isStandardInput || options.file !== undefined || countLevelsUp(source) === 0) return source
  const top = await findWorkingTree(source.folder)
  if (top === null || top === source.folder) return source
  const rootFile = source.rootFile ?? (await chooseDocument(source, options)).rootFile
  try {
    return {
      ...source,
      folder: top,
      rootFile: relative(top, join(source.folder, rootFile)),
      ...(await readFolder(top)),
    }
  } catch (error) {
    // Above the limits: the error about the missing file is more helpful than one about the size of the tree.
    if (error instanceof CliError) return source
    throw error
  }
}

/** The folder to compile instead if the sources name files above their own that were not read; null if they name none. */
export function findFolderAbove(source: Source, options: CompileCommandOptions): string | null {
  const levels = source.isStandardInput || options.file !== undefined ? 0 : countLevelsUp(source)
  return levels === 0 ? null : resolve(source.folder, '../'.repeat(levels))
}

/**
 * How many folders above its own the sources reach. Chapters in a folder name its siblings with `../` as well, so only longer
 * ways up lead outside.
 */
function countLevelsUp({ files }: Source): number {
  let levels = 0
  for (const [path, bytes] of files) {
    if (!SOURCE.test(path)) continue
    const depth = path.split('/').length - 1
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
    for (const [parents] of text.matchAll(PARENTS)) levels = Math.max(levels, parents.length / 3 - depth)
  }
  return levels
}

async function findWorkingTree(folder: string): Promise<string | null> {
  // A working tree has a folder `.git`, or a file of this name if it is a submodule or a linked tree.
  const isTop = await stat(join(folder, '.git')).then(
    () => true,
    () => false,
  )
  const parent = dirname(folder)
  return isTop ? folder : parent === folder ? null : findWorkingTree(parent)
}
