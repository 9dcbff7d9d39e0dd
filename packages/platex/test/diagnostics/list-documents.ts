import type { BrokenDocument } from './document.ts'
import { braceDocuments } from './documents/braces.ts'
import { everydayDocuments } from './documents/everyday.ts'
import { fileDocuments } from './documents/files.ts'
import { lookAlikeDocuments } from './documents/look-alikes.ts'
import { macroDocuments } from './documents/macros.ts'
import { packageDocuments } from './documents/packages.ts'
import { structureDocuments } from './documents/structure.ts'

/** Every document of the suite. */
export function listDocuments(): readonly BrokenDocument[] {
  return [
    ...macroDocuments,
    ...braceDocuments,
    ...everydayDocuments,
    ...fileDocuments,
    ...packageDocuments,
    ...structureDocuments,
    ...lookAlikeDocuments,
  ]
}
