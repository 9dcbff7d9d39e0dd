/** A typical paper of ten pages: sections in separate files, formulas, tables, references, a bibliography. */
const sections = ['Introduction', 'Forces', 'Harmonics', 'Channels', 'Friction', 'Gauges', 'Results', 'Conclusion']

/** Path and text of its files; `remark` is the line that an edit changes. */
export function tenPagePaper(remark: string): ReadonlyMap<string, string> {
  return new Map([
    ['main.tex', main()],
    ['references.bib', bibliography()],
    ...sections.map((title, n): [string, string] => [
      `sections/${title.toLowerCase()}.tex`,
      section(title, n, n === 3 ? remark : ''),
    ]),
  ])
}

function main(): string {
  return String.raw`\documentclass[11pt]{article}
\usepackage[T1]{fontenc}
\usepackage{lmodern}
\usepackage{amsmath}
\usepackage{graphicx}
\usepackage{booktabs}
\usepackage{tikz}
\usepackage[hidelinks]{hyperref}
\title{Tides in Narrow Channels, at Length}
\author{Alice Example}
\begin{document}
\maketitle
\tableofcontents
${sections.map((title) => `\\input{sections/${title.toLowerCase()}}`).join('\n')}
\bibliographystyle{plain}
\bibliography{references}
\end{document}
`
}

function section(title: string, n: number, remark: string): string {
  const next = sections[(n + 1) % sections.length] ?? ''
  const paragraph = String.raw`A long wave that runs into a narrowing channel carries its energy through a smaller and
smaller opening, as Section~\ref{sec:${next.toLowerCase()}} says at length and others have said before \cite{source${n}}. The
range at the head follows Equation~\eqref{eq:${n}} up to the narrows and falls below it behind them.

`
  return String.raw`\section{${title}}\label{sec:${title.toLowerCase()}}
${remark}
${paragraph.repeat(4)}
\begin{equation}\label{eq:${n}}
  a(x) = a_0 \left( \frac{b_0}{b(x)} \right)^{1/2} \left( \frac{h_0}{h} \right)^{1/4}
\end{equation}
\begin{table}[htb]
  \centering
  \caption{Gauges of section ${n + 1}.}
  \begin{tabular}{lrr}
    \toprule
    Gauge & Distance (km) & Range (m) \\
    \midrule
    Mouth & 0 & 3.1 \\
    Narrows & ${10 + n} & 4.${n} \\
    Head & ${20 + n} & 3.${n} \\
    \bottomrule
  \end{tabular}
\end{table}
\begin{figure}[htb]
  \centering
  \begin{tikzpicture}
    \draw[->] (0,0) -- (6,0);
    \draw plot[domain=0:6,samples=60] (\x,{1 + 0.${n + 1}*sin(60*\x)});
  \end{tikzpicture}
  \caption{The range along the channel.}
\end{figure}
${paragraph.repeat(1)}
`
}

function bibliography(): string {
  return sections
    .map(
      (title, n) =>
        `@article{source${n},\n  author = {Example, Alice},\n  title = {On ${title}},\n  journal = {Journal of Waiting},\n  year = {${1990 + n}},\n}\n`,
    )
    .join('\n')
}
