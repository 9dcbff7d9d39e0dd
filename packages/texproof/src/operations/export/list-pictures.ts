import { posix } from 'node:path'

import { findPictureFolders, PICTURE, resolvePicture } from './flatten-sources.ts'
import { lineAt, splitSource } from './split-source.ts'

/** A picture, and the first command that includes it. */
export interface PlacedPicture {
  /** Path in the repository. */
  readonly path: string
  readonly file: string
  /** 1-based. */
  readonly line: number
}

interface PictureSources {
  /** Path → text of every LaTeX source. */
  readonly texts: ReadonlyMap<string, string>
  readonly paths: Iterable<string>
  /** The folder that the paths are in, in the repository. */
  readonly folder: string
  readonly environments: ReadonlySet<string>
}

/** The pictures that the sources name. Names that macros build are not found. */
export function listPictures({ texts, paths, folder, environments }: PictureSources): readonly PlacedPicture[] {
  const known = { paths: new Set(paths), folders: [...texts.values()].flatMap(findPictureFolders) }
  const placed = new Map<string, PlacedPicture>()
  for (const [file, text] of texts)
    for (const part of splitSource(text, environments)) {
      if (part.kind !== 'code') continue
      for (const { index, 2: argument = '' } of part.text.matchAll(PICTURE)) {
        const path = resolvePicture(argument, known)?.path
        if (path === undefined || placed.has(path)) continue
        const line = lineAt(text, part.start + index)
        placed.set(path, { path: posix.join(folder, path), file: posix.join(folder, file), line })
      }
    }
  return [...placed.values()]
}
