import type { ProjectEngine } from '@texproof/platex'

import { findEngineOfPackage } from './engine-of-package.ts'
import type { PackageUse, TexScan } from './scan-tex-source.ts'

/** Packages with which pdfLaTeX reads the drawings of pstricks from another file. */
const PSTRICKS_CONVERTERS: ReadonlySet<string> = new Set(['pst-pdf', 'pdftricks', 'pdftricks2', 'pstool'])

/** The file that tells arXiv how to build a submission. Source: https://info.arxiv.org/help/00README.html */
export const ARXIV_README = '00README.json'

/** Engines by the names that sources and settings use for them. */
export const ENGINE_OF_PROGRAM: ReadonlyMap<string, ProjectEngine> = new Map([
  ['pdflatex', 'pdflatex'],
  ['latex', 'latex'],
  ['platex', 'platex'],
  ['uplatex', 'uplatex'],
  ['pdftex', 'pdflatex'],
  ['xelatex', 'xelatex'],
  ['xetex', 'xelatex'],
  ['lualatex', 'lualatex'],
  ['luahblatex', 'lualatex'],
  ['luatex', 'lualatex'],
])

/**
 * Chooses the engine of a document and says why. `parts` contains the root first, then the files that it reads.
 *
 * A package determines the engine only in a source that does not test which engine runs: classes that support every
 * engine load `fontspec` behind such a test.
 */
export function chooseEngine(
  parts: readonly TexScan[],
  stated: {
    configured: ProjectEngine | null
    latexmk: ProjectEngine | null
    arxiv: { engine: ProjectEngine | null; name: string } | null
  },
): { readonly engine: ProjectEngine; readonly why: string } {
  if (stated.configured !== null) return { engine: stated.configured, why: 'engine set in .texproof.toml' }
  const program = parts[0]?.magicProgram ?? null
  const asked = program === 'latex' ? engineForLatex(parts) : ENGINE_OF_PROGRAM.get(program ?? '')
  if (asked !== undefined) return { engine: asked, why: `"% !TEX program = ${program}"` }
  if (stated.latexmk !== null) return { engine: stated.latexmk, why: 'engine set in latexmkrc' }
  if (stated.arxiv !== null && stated.arxiv.engine !== null)
    return { engine: stated.arxiv.engine, why: `engine set in ${stated.arxiv.name}` }
  const comment = parts[0]?.toolComment ?? null
  const named = comment?.program === 'latex' ? engineForLatex(parts) : ENGINE_OF_PROGRAM.get(comment?.program ?? '')
  if (comment !== null && named !== undefined) return { engine: named, why: `"${comment.text}"` }
  const proofs = parts.filter(({ isEngineAware }) => !isEngineAware).flatMap(listProofs)
  // LuaLaTeX runs nearly everything that XeLaTeX runs; the reverse is not true. DVI has what pstricks needs, too.
  const proof = ['lualatex', 'uplatex', 'platex', 'latex']
    .map((engine) => proofs.find((one) => one.engine === engine))
    .find((one) => one !== undefined)
  return proof ?? proofs[0] ?? { engine: 'pdflatex', why: 'default engine' }
}

/** In some editors, `latex` means pdfLaTeX: it makes DVI only where the document requires PostScript. */
function engineForLatex(parts: readonly TexScan[]): ProjectEngine {
  const isPostScript = ({ packages, psfragLine, documentClass }: TexScan): boolean =>
    psfragLine !== null ||
    packages.some(
      (use) =>
        /^pst(?:ricks|-)/.test(use.name) || findEngineOfPackage(use) === 'latex' || isForDvips(use, documentClass),
    )
  return parts.some(isPostScript) ? 'latex' : 'pdflatex'
}

/** Pictures of such a document must be EPS: pdfTeX would leave them out. */
function isForDvips({ name, options }: PackageUse, documentClass: string | null): boolean {
  const isPassedOn = name === documentClass || name === 'graphicx' || name === 'graphics'
  return isPassedOn && options.split(',').includes('dvips')
}

function engineOfUse(use: PackageUse, documentClass: string | null): ProjectEngine | undefined {
  return findEngineOfPackage(use) ?? (isForDvips(use, documentClass) ? 'latex' : undefined)
}

function listProofs({ path, packages, documentClass, ...lines }: TexScan): { engine: ProjectEngine; why: string }[] {
  const { directLuaLine, psfragLine } = lines
  const isConverted = packages.some(({ name }) => PSTRICKS_CONVERTERS.has(name))
  const byPackage = packages.flatMap((use) => {
    const { name, line } = use
    const engine = isConverted && name.startsWith('pst') ? undefined : engineOfUse(use, documentClass)
    return engine === undefined ? [] : [{ engine, why: `${name} in ${path}:${line}` }]
  })
  // Only dvips replaces text in EPS pictures.
  const isPsfrag = psfragLine !== null && !isConverted
  return [
    ...(directLuaLine === null
      ? []
      : [{ engine: 'lualatex', why: `\\directlua in ${path}:${directLuaLine}` } as const]),
    ...(isPsfrag ? [{ engine: 'latex', why: `\\psfrag in ${path}:${psfragLine}` } as const] : []),
    ...byPackage,
  ]
}
