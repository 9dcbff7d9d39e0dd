/** Explains a missing `\begin{document}` if the root file is not a document: a chapter, plain TeX or text. Null if it is one. */
export function explainFragment(rootText: string): { readonly summary: string; readonly remedy: string } | null {
  if (/\\(?:documentclass|documentstyle|begin\s*\{document\})/.test(rootText)) return null
  const root = /^%[^\S\n]{0,9}!TEX[^\S\n]{1,9}root[^\S\n]{0,9}=[^\S\n]{0,9}(\S[^\r\n]{0,200})/im.exec(rootText)?.[1]
  if (root !== undefined)
    return { summary: `This file is a part of ${root.trimEnd()}.`, remedy: `Compile ${root.trimEnd()}.` }
  // The class may be in another file.
  if (/\\input(?![A-Za-z])/.test(rootText)) return null
  const isPlain = /\\bye(?![A-Za-z])/.test(rootText)
  return {
    summary: isPlain
      ? 'This is plain TeX, and the document is compiled as LaTeX.'
      : 'The file has no \\documentclass and no \\begin{document}.',
    remedy: `Begin with \\documentclass{article} and \\begin{document}, and end with \\end{document}${isPlain ? ' instead of \\bye' : ''}.`,
  }
}
