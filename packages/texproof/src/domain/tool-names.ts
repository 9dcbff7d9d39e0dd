import type { Build } from '../domain/build.ts'

/** Display names of the tools. */
const TOOL_NAMES: Readonly<Record<string, string>> = {
  pdflatex: 'pdfLaTeX',
  xelatex: 'XeLaTeX',
  lualatex: 'LuaLaTeX',
  latex: 'LaTeX',
  platex: 'pLaTeX',
  uplatex: 'upLaTeX',
  tectonic: 'Tectonic',
  bibtex: 'BibTeX',
  biber: 'Biber',
  makeindex: 'MakeIndex',
}

/** The display name of an engine or bibliography tool. */
export function nameTool(tool: string): string {
  return TOOL_NAMES[tool] ?? tool
}

/** `pdfLaTeX, BibTeX and MakeIndex`: the tools that a build ran, or those chosen for it before any has run. */
export function describeTools({
  engine,
  bibliography,
  passes,
}: Pick<Build, 'engine' | 'bibliography' | 'passes'>): string {
  const chosen = bibliography === 'none' ? [engine] : [engine, bibliography]
  const programs = passes.length === 0 ? chosen : passes.map(({ program }) => program)
  const names = [...new Set(programs.map(nameTool))]
  const last = names.at(-1) ?? ''
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`
}
