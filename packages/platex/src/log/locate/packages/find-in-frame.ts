/** Mistakes in the frames of beamer, which it reads as a whole: TeX reports the end of the frame, or of a later one. */
import { filesToSearch, type Fault, type Place } from '../places.ts'

type NotedPlace = Place & { readonly note: string }

/**
 * The place of verbatim text in a frame that cannot contain any, of an end of a frame that beamer does not see, or of a frame
 * that has no end before the next one.
 */
export function findInFrame(fault: Fault): NotedPlace | null {
  return findVerb(fault) ?? findHiddenEnd(fault) ?? findOpenFrame(fault)
}

const VERB = /\\(?:verb|lstinline|mintinline)\b(?!atim)/
const OF_VERB =
  /^(?:Missing \$ inserted|LaTeX Error: \\verb illegal|Misplaced alignment tab|Illegal parameter number|You can't use `macro parameter)/

/** `\verb` in a frame without the option fragile. */
function findVerb({ error, reported, sources }: Fault): NotedPlace | null {
  const { file, line } = reported
  if (line === null || !OF_VERB.test(error.message)) return null
  const code = sources.code(file)
  if (!(code[line - 1] ?? '').includes('\\end{frame}')) return null
  const begun = code.slice(0, line).findLastIndex((text) => text.includes('\\begin{frame}'))
  if (begun === -1 || isFragile(code[begun] ?? '')) return null
  const found = code.slice(begun, line).findIndex((text) => VERB.test(text))
  return found === -1 ? null : { file, line: begun + found + 1, note: 'This frame is not fragile.' }
}

function isFragile(begin: string): boolean {
  return /\\begin\{frame\}\s*(?:<[^>]*>)?\s*\[[^\]]*\b(?:fragile|containsverbatim)\b/.test(begin)
}

const OF_FRAME =
  /^(?:Extra \}, or forgotten \\endgroup|LaTeX Error: \\begin\{(?:beamer@)?frame|You can't use `\\end'|Missing \} inserted|Emergency stop: job aborted, no legal|File ended while scanning use of \\beamer@)/

/** The `\end{frame}` of a fragile frame beside other text: beamer looks for a line without it. */
function findHiddenEnd(fault: Fault): NotedPlace | null {
  if (!OF_FRAME.test(fault.error.message)) return null
  for (const file of filesToSearch(fault)) {
    const lines = fault.sources.lines(file)
    let isOpen = false
    for (const [index, text] of lines.entries()) {
      if (text.includes('\\begin{frame}')) isOpen = isFragile(text)
      if (!isOpen || !text.includes('\\end{frame}')) continue
      if (!/^\s*\\end\{frame\}\s*(?:%.*)?$/.test(text))
        return { file, line: index + 1, note: 'This frame is fragile, and its end is not alone on the line.' }
      isOpen = false
    }
  }
  return null
}

/** The `\begin{frame}` of a frame in which another one begins. */
function findOpenFrame(fault: Fault): NotedPlace | null {
  if (!OF_FRAME.test(fault.error.message)) return null
  for (const file of filesToSearch(fault)) {
    let open: number | null = null
    for (const [index, text] of fault.sources.code(file).entries()) {
      for (const [, kind] of text.matchAll(/\\(begin|end)\{frame\}/gi)) {
        if (kind === 'end') open = null
        else if (open === null) open = index + 1
        else return { file, line: open, note: `This frame is open where another one begins: line ${index + 1}.` }
      }
    }
  }
  return null
}
