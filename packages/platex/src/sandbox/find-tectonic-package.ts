import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The npm packages that carry a Tectonic binary in `bin/`, one a platform. */
const PACKAGE = `@node-latex-compiler/bin-${process.platform}-${process.arch}`

/**
 * Folders of Tectonic binaries that npm has installed, for the project that is being run or beside this package; at
 * most two, and none where the package is not there. It is looked for, never installed by us.
 */
export function findTectonicPackage(): readonly string[] {
  const places = [join(process.cwd(), 'package.json'), import.meta.url]
  return [...new Set(places.flatMap(findFrom))]
}

function findFrom(place: string): string[] {
  try {
    return [join(dirname(createRequire(place).resolve(`${PACKAGE}/package.json`)), 'bin')]
  } catch {
    return [] // Not installed there.
  }
}
