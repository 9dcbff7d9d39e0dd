import type { Engine } from '@texproof/platex'

import type { TexScan } from './scan-tex-source.ts'

/**
 * Packages and classes that only one engine can run. `fontspec` and similar packages run in two, of which XeLaTeX is
 * faster.
 */
const ENGINE_OF_PACKAGE: ReadonlyMap<string, Engine> = new Map([
  ...[
    'luacode',
    'luatexja',
    'luatexja-fontspec',
    'luatexja-preset',
    'luamplib',
    'luatexbase',
    'luacolor',
    'luabidi',
    'lua-ul',
    'emoji',
    'ltjsarticle',
    'ltjsbook',
    'ltjsreport',
  ].map((name): [string, Engine] => [name, 'lualatex']),
  ...[
    'xeCJK',
    'xltxtra',
    'xunicode',
    'bidi',
    'xepersian',
    'mathspec',
    'arabxetex',
    'zxjatype',
    'xecyr',
    'ctex',
    'ctexart',
    'ctexbook',
    'ctexrep',
    'ctexbeamer',
  ].map((name): [string, Engine] => [name, 'xelatex']),
  ...['fontspec', 'unicode-math', 'polyglossia', 'mathfont'].map((name): [string, Engine] => [name, 'xelatex']),
])

const ENGINE_OF_PROGRAM: Readonly<Record<string, Engine>> = {
  pdflatex: 'pdflatex',
  latex: 'pdflatex',
  pdftex: 'pdflatex',
  xelatex: 'xelatex',
  xetex: 'xelatex',
  lualatex: 'lualatex',
  luahblatex: 'lualatex',
  luatex: 'lualatex',
}

/**
 * Chooses the engine of a document and says why. `parts` contains the root first, then the files that it reads.
 *
 * A package determines the engine only in a source that does not test which engine runs: classes that support every
 * engine load `fontspec` behind such a test.
 */
export function chooseEngine(
  parts: readonly TexScan[],
  stated: { configured: Engine | null; latexmk: Engine | null },
): { readonly engine: Engine; readonly why: string } {
  if (stated.configured !== null) return { engine: stated.configured, why: 'engine set in .texproof.toml' }
  const program = parts[0]?.magicProgram ?? null
  const asked = program === null ? undefined : ENGINE_OF_PROGRAM[program]
  if (asked !== undefined) return { engine: asked, why: `"% !TEX program = ${program}"` }
  if (stated.latexmk !== null) return { engine: stated.latexmk, why: 'engine set in latexmkrc' }
  const proofs = parts.filter(({ isEngineAware }) => !isEngineAware).flatMap(listProofs)
  // LuaLaTeX runs nearly everything that XeLaTeX runs; the reverse is not true.
  const proof = proofs.find(({ engine }) => engine === 'lualatex') ?? proofs[0]
  return proof ?? { engine: 'pdflatex', why: 'default engine' }
}

function listProofs({ path, packages, directLuaLine }: TexScan): { engine: Engine; why: string }[] {
  const byPackage = packages.flatMap(({ name, line }) => {
    const engine = ENGINE_OF_PACKAGE.get(name)
    return engine === undefined ? [] : [{ engine, why: `${name} in ${path}:${line}` }]
  })
  if (directLuaLine === null) return byPackage
  return [{ engine: 'lualatex', why: `\\directlua in ${path}:${directLuaLine}` }, ...byPackage]
}
