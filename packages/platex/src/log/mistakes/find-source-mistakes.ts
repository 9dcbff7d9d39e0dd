/** Mistakes that LaTeX accepts without a message. Only those that are certain: the document compiles. */
import type { LatexWarning } from '../../base/types.ts'
import { createSourceTexts, type SourceTexts } from '../source-texts.ts'
import { findConflicts } from './find-conflicts.ts'
import { findLuaComments } from './find-lua-comments.ts'
import { warning } from './warning.ts'

/** Finds mistakes in the sources that TeX read; path → text. */
export function findSourceMistakes(texts: ReadonlyMap<string, string>): readonly LatexWarning[] {
  const sources = createSourceTexts(texts)
  return [
    ...findEarlyLabels(sources),
    ...findFrames(sources),
    ...findExamParts(sources),
    ...findLuaComments(sources),
    ...findConflicts(sources),
  ]
}

const REFERENCE = /\\[A-Za-z]{0,20}ref\*?\{([^{}]{1,500})\}/g

/** Labels before the caption of their figure or table: references to them show the number of the section. */
function findEarlyLabels(sources: SourceTexts): readonly LatexWarning[] {
  const codes = sources.files
    .filter((file) => /\.(?:tex|ltx)$/.test(file))
    .map((file) => [file, sources.code(file)] as const)
  // Commands of floatrow typeset the caption before the rest.
  if (codes.some(([, code]) => code.some((line) => line.includes('{floatrow}')))) return []
  const early = codes.flatMap(([file, code]) => listEarlyLabels(code).map((label) => ({ file, ...label })))
  if (early.length === 0) return []
  const references = codes.flatMap(([, code]) => code.flatMap((line) => [...line.matchAll(REFERENCE)]))
  const used = new Set(references.flatMap(([, names = '']) => names.split(',').map((name) => name.trim())))
  return early
    .filter(({ name }) => used.has(name))
    .map(({ file, line, name }) => warning(file, line, `\\label{${name}} is before its \\caption.`))
}

interface Label {
  readonly name: string
  readonly line: number
}

const TOKEN =
  /\\(begin|end)\{([^{}]{1,60})\}|\\(caption)(?![A-Za-z])|\\label\{([^{}]{1,200})\}|\\(sub(?:float|caption|captionbox|figure|table|bottom|top))(?![A-Za-z])/g

/**
 * Of figures and tables with one caption. Other environments in them can have captions of their own, and commands for
 * subfigures have them as arguments.
 */
function listEarlyLabels(code: readonly string[]): readonly Label[] {
  const found: Label[] = []
  let float: { name: string; depth: number; captions: number; hasParts: boolean; labels: Label[] } | null = null
  for (const [index, line] of code.entries()) {
    for (const [, edge, name = '', caption, label, part] of line.matchAll(TOKEN)) {
      if (float === null) {
        if (edge === 'begin' && /^(?:figure|table)\*?$/.test(name))
          float = { name, depth: 0, captions: 0, hasParts: false, labels: [] }
      } else if (part !== undefined) float.hasParts = true
      else if (edge === 'end' && name === float.name) {
        if (float.captions === 1 && !float.hasParts) found.push(...float.labels)
        float = null
      } else if (edge !== undefined) {
        if (name !== 'center') float.depth += edge === 'begin' ? 1 : -1
      } else if (caption !== undefined) float.captions += 1
      else if (label !== undefined && float.depth === 0 && float.captions === 0)
        float.labels.push({ name: label, line: index + 1 })
    }
  }
  return found
}

const CLASS = /\\documentclass(?:\[[^\]]{0,500}\])?\{(article|report|book|amsart|scrartcl|scrreprt|scrbook)\}/

/** In other classes than beamer, `\begin{frame}` runs `\frame`, which draws a box around the next letter. */
function findFrames(sources: SourceTexts): readonly LatexWarning[] {
  const lines = sources.files.flatMap((file) =>
    sources.code(file).map((text, index) => ({ file, text, line: index + 1 })),
  )
  const found = lines.find(({ text }) => text.includes('\\begin{frame}'))
  const name = lines.map(({ text }) => CLASS.exec(text)?.[1]).find((match) => match !== undefined)
  if (found === undefined || name === undefined) return []
  const isDefined = lines.some(({ text }) =>
    /beamer|(?:environment|newtcolorbox|newmdenv)\b[^\\]{0,100}\{frame\}/i.test(text),
  )
  return isDefined ? [] : [warning(found.file, found.line, `The class ${name} has no environment "frame".`)]
}

const EXAM = /\\documentclass(?:\[[^\]]{0,500}\])?\{exam\}/
const PART_TOKEN = /\\(begin|end)\{(questions|parts)\}|\\part(?![A-Za-z*])(?!\s*\{)/g

/** In the class exam, a `\part` of a question that is in no `parts` is a heading: "Part I". */
function findExamParts(sources: SourceTexts): readonly LatexWarning[] {
  if (!sources.files.some((file) => sources.code(file).some((text) => EXAM.test(text)))) return []
  return sources.files.flatMap((file) => findPart(file, sources.code(file)))
}

/** The first one of a file: the others are the same mistake. */
function findPart(file: string, code: readonly string[]): readonly LatexWarning[] {
  const open = { questions: 0, parts: 0 }
  for (const [index, text] of code.entries())
    for (const [, edge, name] of text.matchAll(PART_TOKEN)) {
      if (name === 'questions' || name === 'parts') open[name] += edge === 'begin' ? 1 : -1
      else if (open.questions > 0 && open.parts <= 0)
        return [warning(file, index + 1, 'A \\part of a question is outside of the environment parts.')]
    }
  return []
}
