import { article, type ExplainedDocument } from '../explained-document.ts'

const r = String.raw
const picture = (title: string, body: string, preamble = r`\usepackage{tikz}`): ExplainedDocument =>
  article(title, `Text.\n\n\\begin{tikzpicture}\n${body}\n\\end{tikzpicture}\n\nMore.`, preamble)

/** Brackets and environments that a picture leaves open, shorthands, and data that is no number. */
export const explainedPictures: readonly ExplainedDocument[] = [
  picture(
    'the text of a node that is not closed',
    '⟦tikz-syntax⟧\\node[draw] (a) at (0,0) {Start;\n\\node[draw] (b) at (2,0) {End};\n\\draw (a) -- (b);',
  ),
  picture(
    'a coordinate that is not closed',
    '⟦tikz-syntax⟧\\node[draw] (a) at (0,0 {Start};\n\\node[draw] (b) at (2,0) {End};\n\\draw (a) -- (b);',
  ),
  picture(
    'options of a path that are not closed',
    '⟦tikz-syntax⟧\\draw[thick, red (0,0) -- (1,1);\n\\draw (0,0) -- (1,1);',
  ),
  picture('a loop without "in"', r`⟦tikz-syntax⟧\foreach \x {1,2,3} \draw (\x,0) -- (1,1);`),
  picture(
    'an axis that is not ended',
    '⟦unmatched-environment⟧\\begin{axis}\n\\addplot coordinates {(0,0) (1,1)};',
    '\\usepackage{pgfplots}\n\\pgfplotsset{compat=1.18}',
  ),
  picture(
    'arrows in Spanish',
    '⟦tikz-syntax⟧\\draw[->] (0,0) -- (1,1);\n\\draw[<->] (0,0) -- (1,1);',
    '\\usepackage[spanish]{babel}\n\\usepackage{tikz}',
  ),
  article(
    'data of a plot that is no number',
    '\\begin{tikzpicture}\n\\begin{axis}\n⟦invalid-number⟧\\addplot table[x=t, y=v, col sep=comma] {data.csv};\n\\end{axis}\n\\end{tikzpicture}',
    '\\usepackage{pgfplots}\n\\pgfplotsset{compat=1.18}',
    { files: { 'data.csv': 't,v\n1,2\n2,three\n' } },
  ),
]
