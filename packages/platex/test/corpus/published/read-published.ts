import { readFile } from 'node:fs/promises'

import type { Engine } from '../../../src/base/types.ts'

/** A document in a Debian package. Only its path is stored here. */
export interface PublishedDocument {
  /** The Debian package that contains it. */
  readonly debianPackage: string
  /** Path of the root file below the root of the package. */
  readonly path: string
  readonly kind: string
  readonly engine: Engine
  /** Pages of the PDF that latexmk makes. */
  readonly pages: number
  /** True when latexmk fails, too. Every other document must compile without an error. */
  readonly isBroken: boolean
  /** Why our PDF has another number of pages; null = it must have the same. */
  readonly exception: { readonly pages: number; readonly reason: string } | null
}

const TABLE = new URL('documents.tsv', import.meta.url)

/** Reads the table: package, path, kind, engine, pages and end of latexmk, and where they differ our pages and the reason. */
export async function readPublished(): Promise<readonly PublishedDocument[]> {
  const lines = (await readFile(TABLE, 'utf8')).trimEnd().split('\n').slice(1)
  return lines.map((line) => {
    const [debianPackage = '', path = '', kind = '', engine = '', pages = '', end = '', ourPages = '', reason = ''] =
      line.split('\t')
    return {
      debianPackage,
      path,
      kind,
      engine: engine as Engine,
      pages: Number(pages),
      isBroken: end === 'fails',
      exception: reason === '' ? null : { pages: Number(ourPages), reason },
    }
  })
}
