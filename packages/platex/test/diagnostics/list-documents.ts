import { readFileSync } from 'node:fs'

import type { Engine, WarningCode } from '../../src/base/types.ts'
import type { BrokenDocument, ExpectedError, ExpectedWarning } from './document.ts'
import { fileDocuments } from './documents/files.ts'
import { lookAlikeDocuments } from './documents/look-alikes.ts'

/** Every document of the suite. */
export function listDocuments(): readonly BrokenDocument[] {
  return [
    ...['macros', 'braces', 'everyday', 'packages', 'structure'].flatMap(readDocuments),
    ...fileDocuments,
    ...lookAlikeDocuments,
  ]
}

/** The documents of one file below `documents/`. */
export function readDocuments(collection: string): readonly BrokenDocument[] {
  const text = readFileSync(new URL(`documents/${collection}.txt`, import.meta.url), 'utf8')
  return text
    .split(/\n*^=== /m)
    .slice(1)
    .flatMap((document) => parseDocument(`${document.trimEnd()}\n`))
}

/**
 * One document: title, options, then parts. `--- main.tex` is a file, `--- errors` and `--- warnings` are the expected
 * diagnostics: one line each, `main.tex:6 message` or `code main.tex:6`. Where engines differ, `--- errors of pdflatex` names them,
 * and the document counts once for each list.
 */
function parseDocument(text: string): readonly BrokenDocument[] {
  const [head = '', ...parts] = text.split(/^--- /m)
  const [title = '', ...options] = head.trimEnd().split('\n')
  const valueOf = (name: string) => options.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
  const passes = valueOf('passes')
  const files: Record<string, string> = {}
  const outcomes = new Map<string, Pick<BrokenDocument, 'errors' | 'warnings'>>()
  for (const part of parts) {
    const [, name = '', engines = '', content = ''] =
      /^(\S+)(?: of (.*)| \(no newline at the end\))?\n([^]*)$/.exec(part) ?? []
    const lines = content.split('\n').filter((line) => line !== '')
    const outcome = outcomes.get(engines) ?? { errors: [] }
    if (name === 'errors') outcomes.set(engines, { ...outcome, errors: lines.map(parseError) })
    else if (name === 'warnings') outcomes.set(engines, { ...outcome, warnings: lines.map(parseWarning) })
    else files[name] = part.includes(' (no newline at the end)\n') ? content.trimEnd() : content
  }
  if (outcomes.size === 0) outcomes.set('', { errors: [] })
  return [...outcomes].map(([names, outcome]): BrokenDocument => {
    const engines = names || valueOf('engines')
    return {
      title,
      files,
      ...outcome,
      ...(engines === undefined ? {} : { engines: engines.split(' ') as Engine[] }),
      ...(passes === undefined ? {} : { passes: Number(passes) }),
    }
  })
}

function parseError(line: string): ExpectedError {
  const [, file = '', number, message = ''] = /^([^\s:]+)(?::(\d+))? (.*)$/.exec(line) ?? []
  return [file, number === undefined ? null : Number(number), message]
}

function parseWarning(line: string): ExpectedWarning {
  const [code = '', place = ''] = line.split(' ')
  const [file, number] = place.split(':')
  return [code as WarningCode, file || null, number === undefined ? null : Number(number)]
}
