import type { BibEngine } from '@texproof/platex'

import type { TexScan } from './scan-tex-source.ts'

/** Chooses the bibliography tool of a document and says why; `why` is null if there is no bibliography. */
export function chooseBibliography(
  parts: readonly TexScan[],
  configured: BibEngine | null,
): { readonly bibliography: BibEngine; readonly why: string | null } {
  if (configured !== null) return { bibliography: configured, why: 'bibliography tool set in .texproof.toml' }
  for (const { path, packages } of parts) {
    const biblatex = packages.find(({ name }) => name === 'biblatex' || name === 'biblatex-chicago')
    if (biblatex === undefined) continue
    const backend = /(?:^|,)backend=\{?(bibtex8?|biber)\b/.exec(biblatex.options)?.[1] ?? 'biber'
    if (backend === 'biber') return { bibliography: 'biber', why: `biblatex in ${path}:${biblatex.line}` }
    return { bibliography: 'bibtex', why: `biblatex with backend=${backend} in ${path}:${biblatex.line}` }
  }
  const resource = parts.find(({ bibResourceLine }) => bibResourceLine !== null)
  if (resource !== undefined)
    return { bibliography: 'biber', why: `\\addbibresource in ${resource.path}:${resource.bibResourceLine}` }
  const classic = parts.find(({ bibliographyLine }) => bibliographyLine !== null)
  if (classic !== undefined)
    return { bibliography: 'bibtex', why: `\\bibliography in ${classic.path}:${classic.bibliographyLine}` }
  // A class or package of the machine loads biblatex, or names the database.
  const printed = parts.find(({ printBibliographyLine }) => printBibliographyLine !== null)
  if (printed !== undefined)
    return { bibliography: 'biber', why: `\\printbibliography in ${printed.path}:${printed.printBibliographyLine}` }
  // REVTeX moves footnotes to the bibliography.
  const revtex = parts.find(({ documentClass }) => documentClass?.startsWith('revtex4') === true)
  if (revtex !== undefined) return { bibliography: 'bibtex', why: `${revtex.documentClass} in ${revtex.path}` }
  const citing = parts.find(({ citationLine }) => citationLine !== null)
  if (citing !== undefined && !parts.some(({ hasReferences }) => hasReferences))
    return { bibliography: 'bibtex', why: `\\cite in ${citing.path}:${citing.citationLine}` }
  return { bibliography: 'none', why: null }
}
