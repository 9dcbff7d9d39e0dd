/** Finds the definitions of a document in its sources with patterns: good enough for suggestions, and cheap. */
import { isLfsPointer } from './lfs-pointers.ts'
import { listSubmodules } from './submodules.ts'
import type { Knowledge } from './types.ts'

/** Definitions are in files that people write; large files are data. */
const MAX_FILE_BYTES = 2_000_000
const TEXT = /\.(?:tex|sty|cls|ltx|latex|def|bib|bbl)$/i

const DEFINED =
  /\\(?:(?:re|provide)?newcommand|(?:New|Renew|Provide|Declare)(?:Expandable)?DocumentCommand|DeclareMathOperator|DeclareRobustCommand|newrobustcmd)\*?\s*(?:\{\s*)?(\\[\p{L}\p{M}@]+)|\\(?:[egx]?def|let)\s*(\\[\p{L}\p{M}@]+)/gu
const ENVIRONMENT = /\\(?:(?:re)?newenvironment|NewDocumentEnvironment|newtheorem|newtcolorbox)\*?\s*\{([^{}]+)\}/g
const INTERNAL = /(\\[A-Za-z@]*[@_:][A-Za-z@_:]*)/g
/** Optional arguments end before the next such command: otherwise each without `]` would be followed to the end of the file. */
const LABEL = /\\label\s*(?:\[(?:(?!\\label)[^\]]){0,10000}\])?\{([^{}]+)\}/g
const NODE = /\b(?:node|coordinate)\s*(?:\[[^\]\n]{0,200}\]\s*)?\(([^()\n]{1,60})\)/g
const GLOSSARY =
  /\\(?:(?:long)?newglossaryentry|newacronym|newabbreviation)\s*(?:\[[^\]]{0,200}\]\s*)?\{([^{}]{1,100})\}/g
const ENTRY = /^[^\S\r\n\u2028\u2029]*@(?!comment|string|preamble)[A-Za-z]+\s*[{(]\s*([^\s,{}()]+)\s*,/gim
const PACKAGES =
  /\\(?:usepackage|RequirePackage)\s*(?:\[(?:(?!\\usepackage|\\RequirePackage)[^\]]){0,10000}\]\s*)?\{([^{}]+)\}/g
const CLASSES =
  /\\(?:documentclass|LoadClass)\s*(?:\[(?:(?!\\documentclass|\\LoadClass)[^\]]){0,10000}\]\s*)?\{([^{}]+)\}/g
const BIBITEM = /\\bibitem\s*(?:\[(?:(?!\\bibitem)[^\]]){0,10000}\])?\{([^{}]+)\}/g

/** Gathers what the files of a project define; path → bytes, relative. */
export function gatherKnowledge(files: ReadonlyMap<string, Uint8Array>): Knowledge {
  const found = {
    commands: new Set<string>(),
    internals: new Set<string>(),
    environments: new Set<string>(),
    labels: new Set<string>(),
    nodes: new Set<string>(),
    entries: new Set<string>(),
    citations: new Set<string>(),
    packages: new Set<string>(),
    classes: new Set<string>(),
    lfsPointers: new Set<string>(),
  }
  for (const [path, bytes] of files) {
    if (isLfsPointer(bytes)) found.lfsPointers.add(path)
    if (!TEXT.test(path) || bytes.byteLength > MAX_FILE_BYTES) continue
    // Windows calls UTF-16 "Unicode".
    const isWide = bytes[0] === 0xff && bytes[1] === 0xfe
    const text = new TextDecoder(isWide ? 'utf-16le' : 'utf-8').decode(bytes)
    collect(text, DEFINED, found.commands)
    if (!path.endsWith('.bib')) collect(text, INTERNAL, found.internals)
    collect(text, ENVIRONMENT, found.environments)
    collect(text, LABEL, found.labels)
    collect(text, GLOSSARY, found.entries)
    if (/\.(?:tex|ltx)$/.test(path)) collect(text, NODE, found.nodes)
    const code = withoutComments(text)
    for (const [, names = ''] of code.matchAll(PACKAGES))
      for (const name of names.split(',')) found.packages.add(name.trim())
    collect(code, CLASSES, found.classes)
    collect(text, path.toLowerCase().endsWith('.bib') ? ENTRY : BIBITEM, found.citations)
  }
  const submodules = new Set(
    listSubmodules(new TextDecoder().decode(files.get('.gitmodules')?.subarray(0, MAX_FILE_BYTES))),
  )
  return { ...found, submodules, files: new Set(files.keys()) }
}

/** A package that is commented out is not loaded. */
function withoutComments(text: string): string {
  return text.replaceAll(/(?<!\\)%.*/g, '')
}

function collect(text: string, pattern: RegExp, into: Set<string>): void {
  for (const match of text.matchAll(pattern)) {
    const name = match.slice(1).find((group) => group !== undefined)
    if (name !== undefined) into.add(name.trim())
  }
}
