import { createHash } from 'node:crypto'
import type { HostileRequest } from './hostile-case.ts'

/** A document with the class article. */
export function article(body: string, preamble = ''): string {
  return `\\documentclass{article}\n${preamble}\n\\begin{document}\n${body}\n\\end{document}\n`
}

/** Printed first by native code, as proof that it ran. */
export const NATIVE_PROOF = 'native code runs here'

const BIBLIOGRAPHY = '@book{key, title = {Title}, author = {Author, A.}, year = {2000}}\n'

/**
 * A biblatex document whose source map makes biber run a Perl script: biber evaluates the replacement of a map.
 *
 * With a version of biber that does not, the proof is missing and the case fails.
 */
export function nativeRequest(perl: string, options: { readonly timeout?: number } = {}): HostileRequest {
  const map = String.raw`\step[fieldsource=title, match=\regexp{.+}, replace=\regexp{@{[do(q(./payload.pl))]}}]`
  return {
    source: article(
      String.raw`Text \cite{key}. \printbibliography`,
      `\\usepackage{biblatex}\\DeclareSourcemap{\\maps[datatype=bibtex]{\\map{${map}}}}\\addbibresource{refs.bib}`,
    ),
    passes: 2,
    timeout: options.timeout ?? 20_000,
    files: [
      // Unique, because bibliographies are cached by their input, and the attack must run.
      ['refs.bib', `${BIBLIOGRAPHY}\n% ${createHash('sha256').update(perl).digest('hex')}\n`],
      ['payload.pl', `$| = 1; print "${NATIVE_PROOF}\\n";\n${perl}\n; 1;\n`],
    ],
  }
}

/** A Perl expression that makes a system call; Perl requires writable strings for the kernel. */
export function systemCall(numbersAndTexts: string): string {
  return `syscall(${numbersAndTexts.replaceAll(/"[^"]*"/g, (text) => `(my $text = ${text})`)})`
}

/** A lualatex document that runs Lua. */
export function luaRequest(lua: string, options: { readonly timeout?: number } = {}): HostileRequest {
  return {
    engine: 'lualatex',
    source: article(String.raw`\input{code}Text.`),
    timeout: options.timeout ?? 20_000,
    files: [
      ['code.tex', String.raw`\directlua{dofile("code.lua")}`],
      ['code.lua', lua],
    ],
  }
}

/** A document whose bibliography bibtex makes from `refs.bib` with the given style. */
export function bibtexRequest(style: string, files: NonNullable<HostileRequest['files']> = []): HostileRequest {
  return {
    source: article(`Text \\cite{key}. \\bibliographystyle{${style}}\\bibliography{refs}`),
    timeout: 10_000,
    files: [['refs.bib', BIBLIOGRAPHY], ...files],
  }
}

/** A document whose bibliography biber makes from the given data. */
export function biberRequest(resource: string, files: NonNullable<HostileRequest['files']> = []): HostileRequest {
  return {
    source: article(
      String.raw`Text \cite{key}\nocite{*}. \printbibliography`,
      `\\usepackage{biblatex}\\addbibresource${resource}`,
    ),
    timeout: 20_000,
    files: [['refs.bib', BIBLIOGRAPHY], ...files],
  }
}
