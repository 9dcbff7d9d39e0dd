/**
 * A small TeX tree of our own, read-only for every compile, with files that the installation lacks for use without a
 * shell.
 *
 * It contains the fonts made by METAFONT, and a `graphics.cfg` that makes pdfTeX and LuaTeX look for EPS pictures. By
 * default they do so only if documents may start `repstopdf`; here the service converts instead.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const GRAPHICS_CONFIGURATION = String.raw`% The file of the installation, then EPS pictures also without shell escape.
\input{graphics-cfg/graphics.cfg}
\expandafter\ifx\csname AtBeginDocument\endcsname\relax\expandafter\endinput\fi
\def\Gin@look@for@eps{%
  \def\@tempa{pdftex.def}\def\@tempb{luatex.def}%
  \@tempswafalse
  \ifx\Gin@driver\@tempa\@tempswatrue\fi
  \ifx\Gin@driver\@tempb\@tempswatrue\fi
  % Loaded at the beginning of the document, graphics has no driver yet.
  \ifx\Gin@extensions\@undefined\@tempswafalse\fi
  \ifx\includegraphics\@undefined\@tempswafalse\fi
  \expandafter\ifx\csname DoNotLoadEpstopdf\endcsname\relax\else\@tempswafalse\fi
  \@ifpackageloaded{pst-pdf}{\@tempswafalse}{}%
  \@ifpackageloaded{pdftricks}{\@tempswafalse}{}%
  \if@tempswa
    \edef\Gin@extensions{\Gin@extensions,.eps}%
    \RequirePackage{epstopdf-base}[2009/07/12]%
  \fi}
\AtBeginDocument{\Gin@look@for@eps}
\endinput
`

/** Creates the tree below `cacheDir` if it is missing, and returns its folder. */
export async function prepareSupplement(cacheDir: string, fingerprint: string): Promise<string> {
  const folder = join(cacheDir, `supplement-${fingerprint}`)
  await mkdir(join(folder, 'fonts'), { recursive: true, mode: 0o755 })
  await mkdir(join(folder, 'tex'), { recursive: true, mode: 0o755 })
  const path = join(folder, 'tex', 'graphics.cfg')
  if ((await readFile(path, 'utf8').catch(() => null)) === GRAPHICS_CONFIGURATION) return folder
  // A compile of another process may be reading it, so the change is atomic.
  const draft = `${path}.${randomUUID()}`
  await writeFile(draft, GRAPHICS_CONFIGURATION, { mode: 0o444 })
  await rename(draft, path)
  return folder
}

/** Folder of the fonts made by METAFONT, below the tree. */
export function madeFontDir(supplementDir: string): string {
  return `${supplementDir}/fonts`
}

/** Folder of the TeX files, below the tree. */
export function texFolder(supplementDir: string): string {
  return `${supplementDir}/tex`
}

/** Search path of TeX after the document's own folder; the final colon adds the default path. */
export function inputPath(supplementDir: string): string {
  return `.:${texFolder(supplementDir)}:`
}
