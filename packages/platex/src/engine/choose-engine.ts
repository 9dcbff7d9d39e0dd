import type { Sandbox } from '../sandbox/types.ts'
import type { Engine } from '../types.ts'
import { PlatexError } from '../errors.ts'
import { ENGINES } from './engines.ts'
import type { EngineRow } from './types.ts'

/**
 * The engine asked for, or Tectonic when it is not installed and Tectonic is.
 *
 * @throws PlatexError `NO_ENGINE`, naming the ways to get an engine.
 */
export function chooseEngine(engine: Engine, sandbox: Pick<Sandbox, 'has'>): EngineRow {
  const wanted = ENGINES[engine]
  if (sandbox.has(wanted.program)) return wanted
  if (sandbox.has(ENGINES.tectonic.program)) return ENGINES.tectonic
  throw new PlatexError(
    `${wanted.program} is not installed here, and neither is tectonic. Install TeX Live (Debian and Ubuntu: ` +
      'apt install texlive-latex-extra texlive-xetex texlive-luatex biber), or Tectonic ' +
      '(https://tectonic-typesetting.github.io) with a bundle on disk: set COMPILE_TECTONIC_BUNDLE, since a confined ' +
      'compile has no network. Or let a compile service do it: set COMPILE_SERVICE_URL.',
    { code: 'NO_ENGINE' },
  )
}
