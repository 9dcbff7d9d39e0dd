/**
 * What Inkscape writes next to the PDF, without the texts, which the PDF already contains. The svg package sets the size by
 * changing `picture` and its unit, the first version of it by `\svgwidth`.
 */
export function svgInclusion(pdfName: string): Uint8Array {
  const text = String.raw`\begingroup
\makeatletter
\setbox0\hbox{\includegraphics{NAME}}
\unitlength\wd0\relax
\edef\svgheight{\strip@pt\dimexpr 1pt*\number\ht0/\number\wd0\relax}
\ifx\svgwidth\undefined\ifx\svgscale\undefined\else\unitlength\svgscale\unitlength\fi
\else\setlength\unitlength{\svgwidth}\fi
\global\let\svgwidth\undefined
\global\let\svgscale\undefined
\begin{picture}(1,\svgheight)
\put(0,0){\includegraphics[width=\unitlength,page=1]{NAME}}
\end{picture}
\endgroup
`
  return new TextEncoder().encode(text.replaceAll('NAME', pdfName).replaceAll('\n', '%\n'))
}
