/** Every engine, by the name that callers and the wire use. */
export const ENGINE_NAMES = ['pdflatex', 'xelatex', 'lualatex', 'tectonic'] as const
