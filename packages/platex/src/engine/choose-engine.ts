import { PlatexError } from '../base/errors.ts'
import type { ProjectEngine } from '../base/types.ts'
import type { Sandbox } from '../sandbox/types.ts'
import { ENGINES, type EngineRow } from './engines.ts'

/**
 * The requested engine, or Tectonic if only that is installed.
 *
 * @throws PlatexError `NO_ENGINE`, naming the ways to install an engine.
 */
export function chooseEngine(engine: ProjectEngine, sandbox: Pick<Sandbox, 'has'>): EngineRow {
  const wanted = ENGINES[engine]
  const missing = listMissing(wanted, sandbox)
  if (missing.length === 0) return wanted
  // Tectonic reads neither the PostScript of such documents nor Japanese TeX.
  if (wanted.output === 'dvi') throw new PlatexError(describeMissingDviEngine(wanted, missing), { code: 'NO_ENGINE' })
  if (sandbox.has(ENGINES.tectonic.program)) return ENGINES.tectonic
  throw new PlatexError(
    `${describeMissingEngine(wanted)} Choose one: ` +
      '(1) Use a compile service: set COMPILE_SERVICE_URL. ' +
      '(2) Install TeX Live; Debian and Ubuntu: apt install texlive-latex-extra texlive-xetex texlive-luatex biber. ' +
      `(3) Install Tectonic (npm install @node-latex-compiler/bin-${process.platform}-${process.arch}, or ` +
      'https://tectonic-typesetting.github.io) and set COMPILE_TECTONIC_BUNDLE to its bundle on disk, ' +
      'because compiles have no network access.',
    { code: 'NO_ENGINE' },
  )
}

function listMissing({ program, drivers }: EngineRow, sandbox: Pick<Sandbox, 'has'>): readonly string[] {
  return [program, ...drivers].filter((name) => !sandbox.has(name))
}

function describeMissingDviEngine({ engine }: EngineRow, missing: readonly string[]): string {
  const packages = engine === 'latex' ? 'texlive-latex-base ghostscript' : 'texlive-lang-japanese'
  const programs = missing.join(' and ')
  return `The engine ${engine} requires ${programs}, not installed here. Debian and Ubuntu: apt install ${packages}.`
}

function describeMissingEngine(wanted: EngineRow): string {
  if (wanted.engine === 'tectonic') return 'Tectonic is not installed here, or has no bundle.'
  return `${wanted.program} is not installed here, and neither is Tectonic with a bundle.`
}

/** Engines available to a compile, in the order of the table. */
export function listInstalledEngines(sandbox: Pick<Sandbox, 'has'>): readonly ProjectEngine[] {
  return Object.values(ENGINES)
    .filter((row) => listMissing(row, sandbox).length === 0)
    .map((row) => row.engine)
}
