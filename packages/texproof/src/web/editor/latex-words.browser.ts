/** Commands and environments that the editor completes: from LaTeX itself, and from packages if they are loaded. */

/** Templates of commands without backslash; `#{…}` is a field to fill in. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  latex: [
    'part{#{title}}',
    'chapter{#{title}}',
    'section{#{title}}',
    'subsection{#{title}}',
    'subsubsection{#{title}}',
    'paragraph{#{title}}',
    'documentclass{#{article}}',
    'usepackage{#{package}}',
    'title{#{title}}',
    'author{#{name}}',
    'date{#{date}}',
    'maketitle',
    'tableofcontents',
    'listoffigures',
    'listoftables',
    'appendix',
    'begin{#{environment}}',
    'end{#{environment}}',
    'item',
    'label{#{label}}',
    'ref{#{label}}',
    'pageref{#{label}}',
    'cite{#{key}}',
    'nocite{#{key}}',
    'bibliography{#{file}}',
    'bibliographystyle{#{style}}',
    'input{#{file}}',
    'include{#{file}}',
    'includeonly{#{file}}',
    'caption{#{text}}',
    'centering',
    'footnote{#{text}}',
    'emph{#{text}}',
    'textbf{#{text}}',
    'textit{#{text}}',
    'texttt{#{text}}',
    'textsc{#{text}}',
    'textsf{#{text}}',
    'underline{#{text}}',
    'newcommand{\\#{name}}{#{definition}}',
    'renewcommand{\\#{name}}{#{definition}}',
    'newenvironment{#{name}}{#{begin}}{#{end}}',
    'newpage',
    'clearpage',
    'noindent',
    'hspace{#{length}}',
    'vspace{#{length}}',
    'textwidth',
    'linewidth',
    'textheight',
    'hline',
    'multicolumn{#{columns}}{#{alignment}}{#{text}}',
    'frac{#{numerator}}{#{denominator}}',
    'sqrt{#{x}}',
    'sum_{#{from}}^{#{to}}',
    'prod_{#{from}}^{#{to}}',
    'int_{#{from}}^{#{to}}',
    'lim_{#{x}}',
    'infty',
    'partial',
    'nabla',
    'left(#{x}\\right)',
    'cdot',
    'cdots',
    'ldots',
    'times',
    'pm',
    'leq',
    'geq',
    'neq',
    'approx',
    'equiv',
    'in',
    'notin',
    'subset',
    'subseteq',
    'cup',
    'cap',
    'to',
    'mapsto',
    'rightarrow',
    'leftarrow',
    'Rightarrow',
    'Leftrightarrow',
    'forall',
    'exists',
    'mathrm{#{x}}',
    'mathbf{#{x}}',
    'mathcal{#{X}}',
    'hat{#{x}}',
    'bar{#{x}}',
    'vec{#{x}}',
    'tilde{#{x}}',
    ...'alpha beta gamma delta epsilon varepsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega'.split(
      ' ',
    ),
  ],
  amsmath: [
    'eqref{#{label}}',
    'text{#{text}}',
    'tfrac{#{numerator}}{#{denominator}}',
    'dfrac{#{numerator}}{#{denominator}}',
    'binom{#{n}}{#{k}}',
    'operatorname{#{name}}',
    'DeclareMathOperator{\\#{name}}{#{text}}',
    'intertext{#{text}}',
    'notag',
    'tag{#{text}}',
    'underbrace{#{x}}_{#{text}}',
    'overset{#{above}}{#{x}}',
    'underset{#{below}}{#{x}}',
  ],
  amssymb: ['mathbb{#{R}}', 'mathfrak{#{g}}', 'lesssim', 'gtrsim', 'square', 'blacksquare'],
  graphicx: [
    'includegraphics[width=#{\\linewidth}]{#{file}}',
    'rotatebox{#{angle}}{#{text}}',
    'graphicspath{{#{folder}}}',
  ],
  hyperref: [
    'href{#{address}}{#{text}}',
    'url{#{address}}',
    'autoref{#{label}}',
    'nameref{#{label}}',
    'hypersetup{#{options}}',
  ],
  url: ['url{#{address}}'],
  cleveref: ['cref{#{label}}', 'Cref{#{label}}', 'cpageref{#{label}}'],
  natbib: ['citet{#{key}}', 'citep{#{key}}', 'citeauthor{#{key}}', 'citeyear{#{key}}', 'citealt{#{key}}'],
  biblatex: [
    'parencite{#{key}}',
    'textcite{#{key}}',
    'autocite{#{key}}',
    'footcite{#{key}}',
    'citeauthor{#{key}}',
    'citeyear{#{key}}',
    'addbibresource{#{file}}',
    'printbibliography',
  ],
  booktabs: ['toprule', 'midrule', 'bottomrule', 'cmidrule{#{columns}}'],
  siunitx: ['SI{#{number}}{#{unit}}', 'qty{#{number}}{#{unit}}', 'num{#{number}}', 'unit{#{unit}}', 'ang{#{angle}}'],
  tikz: ['draw', 'node', 'path', 'fill', 'tikzset{#{styles}}', 'usetikzlibrary{#{library}}'],
  listings: ['lstinline|#{code}|', 'lstset{#{options}}', 'lstinputlisting{#{file}}'],
  xcolor: ['textcolor{#{color}}{#{text}}', 'color{#{color}}', 'definecolor{#{name}}{#{model}}{#{values}}'],
  subcaption: ['subcaption{#{text}}', 'subcaptionbox{#{caption}}{#{content}}'],
  glossaries: [
    'gls{#{term}}',
    'Gls{#{term}}',
    'glspl{#{term}}',
    'newacronym{#{key}}{#{short}}{#{long}}',
    'printglossaries',
  ],
}

const ENVIRONMENTS: Readonly<Record<string, readonly string[]>> = {
  latex:
    'document abstract itemize enumerate description figure figure* table table* tabular tabular* equation displaymath math eqnarray array center flushleft flushright quote quotation verse verbatim minipage thebibliography titlepage list'.split(
      ' ',
    ),
  amsmath:
    'equation* align align* alignat gather gather* multline multline* split cases aligned gathered matrix pmatrix bmatrix vmatrix subequations'.split(
      ' ',
    ),
  amsthm: ['proof'],
  tikz: ['tikzpicture', 'scope'],
  listings: ['lstlisting'],
  minted: ['minted'],
  tabularx: ['tabularx'],
  longtable: ['longtable'],
  subcaption: ['subfigure', 'subtable'],
  wrapfig: ['wrapfigure'],
  comment: ['comment'],
  fancyvrb: ['Verbatim'],
  algorithm: ['algorithm'],
  algpseudocode: ['algorithmic'],
}

/** Packages that load another one. */
const LOADED_BY: Readonly<Record<string, readonly string[]>> = {
  mathtools: ['amsmath'],
  pgfplots: ['tikz', 'graphicx', 'xcolor'],
  tikz: ['graphicx', 'xcolor'],
  hyperref: ['url'],
}

/** Templates of the commands of LaTeX and the loaded packages. */
export function listCommands(packages: readonly string[]): readonly string[] {
  return listWords(COMMANDS, packages)
}

/** Environments of LaTeX and the loaded packages. */
export function listEnvironments(packages: readonly string[]): readonly string[] {
  return listWords(ENVIRONMENTS, packages)
}

function listWords(words: Readonly<Record<string, readonly string[]>>, packages: readonly string[]): readonly string[] {
  const loaded = new Set(['latex', ...packages, ...packages.flatMap((name) => LOADED_BY[name] ?? [])])
  return [...new Set([...loaded].flatMap((name) => words[name] ?? []))]
}

/** Types and fields of BibTeX entries. */
export const BIBTEX_TYPES =
  'article book booklet inbook incollection inproceedings manual mastersthesis misc online phdthesis proceedings report techreport thesis unpublished'.split(
    ' ',
  )
export const BIBTEX_FIELDS =
  'abstract address author booktitle chapter date doi edition editor eprint institution isbn issn journal journaltitle keywords location month note number organization pages publisher school series subtitle title type url urldate volume year'.split(
    ' ',
  )
