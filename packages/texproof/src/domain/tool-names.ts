/** How people write the names of the tools. */
const TOOL_NAMES: Readonly<Record<string, string>> = {
  pdflatex: 'pdfLaTeX',
  xelatex: 'XeLaTeX',
  lualatex: 'LuaLaTeX',
  tectonic: 'Tectonic',
  bibtex: 'BibTeX',
  biber: 'Biber',
}

/** The name of an engine or bibliography tool as people write it. */
export function nameTool(tool: string): string {
  return TOOL_NAMES[tool] ?? tool
}
