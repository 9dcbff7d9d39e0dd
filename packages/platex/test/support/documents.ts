/** Small documents that several suites share. */
export const HELLO = String.raw`\documentclass{article}\begin{document}Hello\end{document}`

/** Gives a PDF and an error. */
export const WITH_ERROR = String.raw`\documentclass{article}
\begin{document}
Hello \nosuchmacro
\end{document}`

/** Fails without a page. */
export const FATAL = String.raw`\documentclass{article}
\usepackage{nosuchpackage}
\begin{document}
Hello
\end{document}`

/** Loops endlessly. */
export const ENDLESS = String.raw`\documentclass{article}\begin{document}\def\x{\x}\x\end{document}`

/** Cites from `refs.bib` with BibTeX. */
export const CITING = String.raw`\documentclass{article}
\begin{document}
\cite{alice}
\bibliographystyle{plain}
\bibliography{refs}
\end{document}`

export const REFERENCES = '@book{alice, author = {Alice Author}, title = {A Title}, publisher = {P}, year = 2000}'

/** Includes a file from a subfolder. */
export const INCLUDING = String.raw`\documentclass{article}
\begin{document}
\include{parts/one}
\end{document}`

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

export const isPdf = (bytes: Uint8Array | null): boolean =>
  bytes !== null && new TextDecoder('latin1').decode(bytes.subarray(0, 5)) === '%PDF-'

/** True for base64 of bytes that begin with `%PDF-`. */
export const isBase64Pdf = (text: string | null): boolean => text?.startsWith('JVBERi0') ?? false
