/**
 * An independent record of the file that TeX reads. LaTeX runs hooks around every file it inputs; here they print a warning
 * with the name of the file, and the parser treats all files that TeX opened as the user's. Then the file of each warning
 * must be the one that is open according to the hooks.
 */

export interface HookMarker {
  readonly kind: 'before' | 'after'
  /** Base name of the file that is about to be read, or has been. */
  readonly name: string
}

/** The document with a marker around each file that it reads. */
export function withHooks(document: string): string {
  const marker = (kind: HookMarker['kind']) =>
    `\\AddToHook{file/${kind}}{\\global\\advance\\oraclecount by 1\\typeout{^^JPackage oracle Warning: ${kind} \\the\\oraclecount\\space<\\CurrentFile>^^J}}`
  const hooks = `\\newcount\\oraclecount${marker('before')}${marker('after')}`
  return `${hooks}\n${document}`
}

/** Reads a marker back from the message of a warning. */
export function readMarker(message: string): HookMarker | null {
  const match = /^Package oracle Warning: (before|after) \d+ <(.*)>$/.exec(message)
  if (match === null) return null
  return { kind: match[1] === 'before' ? 'before' : 'after', name: baseName(match[2] ?? '') }
}

/** The file that is open at each marker, derived from the markers. */
export function filesOpenAt(markers: readonly HookMarker[], root: string): readonly string[] {
  const open = [root]
  return markers.map(({ kind, name }) => {
    if (kind === 'after') open.pop()
    const top = open[open.length - 1] ?? root
    if (kind === 'before') open.push(name)
    return top
  })
}

export function baseName(path: string): string {
  return path.replaceAll('"', '').slice(path.lastIndexOf('/') + 1)
}
