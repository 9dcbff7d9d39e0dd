const PROVIDES =
  /\\Provides(?:Expl)?(?:Package|Class|File)\s*\{[^{}]*\}\s*%?\s*(?:\[([^\]]*)\]|\{([^{}]*)\}\s*%?\s*\{([^{}]*)\})/
const MACRO = /\\[A-Za-z@]+/g
/** Long enough for every date and number, short enough for a line. */
const MAX_LENGTH = 60

/**
 * Date and version that the source of a package or class declares, `2023-01-03 3.2.0`; null if it declares none, or only
 * in a form that TeX must expand.
 */
export function readPackageVersion(source: string): string | null {
  const match = PROVIDES.exec(source)
  if (match === null) return null
  const [, bracketed, date, version] = match
  const stated = resolveMacros(bracketed ?? `${date ?? ''} ${version ?? ''}`, source)
  const found = /(\d{4})[/-](\d\d?)[/-](\d\d?)(?:\s+(?:v(?:ersion)?\s*)?([0-9][\w.+-]*))?/i.exec(stated)
  if (found !== null) {
    const [, year, month = '', day = '', number] = found
    const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
    return number === undefined ? iso : `${iso} ${number}`.slice(0, MAX_LENGTH)
  }
  const number = /\bv?(\d+(?:\.\w+)+)/.exec(stated)?.[1]
  return number === undefined ? null : number.slice(0, MAX_LENGTH)
}

/** Expands macros with a plain definition in the same file; removes the others. */
function resolveMacros(text: string, source: string): string {
  return text.replaceAll(MACRO, (name) => {
    if (name === '\\space') return ' '
    const definition = new RegExp(`\\\\(?:def|newcommand\\*?\\{?)\\s*\\\\${name.slice(1)}\\}?\\s*\\{([^{}\\\\]*)\\}`)
    return definition.exec(source)?.[1] ?? ' '
  })
}
