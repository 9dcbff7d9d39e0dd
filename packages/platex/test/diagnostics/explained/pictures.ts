import { article, type ExplainedDocument } from '../explained-document.ts'

const r = String.raw
const picture = (title: string, body: string, preamble = r`\usepackage{tikz}`): ExplainedDocument =>
  article(title, `Text.\n\n\\begin{tikzpicture}\n${body}\n\\end{tikzpicture}\n\nMore.`, preamble)

const tree = (title: string, body: string): ExplainedDocument =>
  article(title, `Text.\n\n\\begin{forest}\n${body}\n\\end{forest}\n\nMore.`, r`\usepackage{forest}`)

/** Brackets and environments that a picture or tree leaves open, unknown names, shorthands, and data that is no number. */
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
  tree('a branch of a tree that is not closed', '[S\n  [NP [Alice]]\n⟦tikz-syntax⟧  [VP [V [sees]]\n    [NP [Bob]]\n]'),
  tree('a bracket too many in a tree', '[S\n⟦tikz-syntax⟧  [NP [Alice]]]\n  [VP [V [sees]] [NP [Bob]]]\n]'),
  tree('a bracket too many at the end of a tree', '⟦tikz-syntax⟧[S [NP [Alice]] [VP [sees]]]]'),
  picture('text outside of nodes', '⟦tikz-syntax⟧\\draw (0,0) -- (1,1); The tide rises.'),
  picture(
    'a misspelled node',
    '\\node (start) at (0,0) {A};\n\\node (middle) at (2,0) {B};\n⟦unknown-node⟧\\draw (start) -- (midle);',
  ),
  picture('a misspelled shape', r`⟦unknown-node⟧\node[shape=elipse,draw] (a) at (0,0) {A};`),
  picture('an anchor that a node does not have', '\\node (a) {A};\n⟦unknown-function⟧\\draw (a.nord) -- (1,1);'),
  picture('a misspelled arrow tip', r`⟦unknown-option⟧\draw[-Stelth] (0,0) -- (1,1);`),
  picture('a division by zero', r`⟦number-too-large⟧\draw plot[domain=-1:1,samples=3] (\x,{1/\x});`),
  picture(
    'a plot without its axis',
    r`⟦undefined-command⟧\addplot {x^2};`,
    '\\usepackage{pgfplots}\n\\pgfplotsset{compat=1.18}',
  ),
  article(
    'a misspelled library of pgfplots',
    'Text.',
    '\\usepackage{pgfplots}\n\\pgfplotsset{compat=1.18}\n⟦missing-file⟧\\usepgfplotslibrary{fillbetwen}',
  ),
  article(
    'plots without a version of pgfplots',
    '\\begin{tikzpicture}\n\\begin{axis}\n\\addplot coordinates {(0,0) (1,1)};\n\\end{axis}\n\\end{tikzpicture}',
    '\\usepackage{amsmath}\n⟦package-warning⟧\\usepackage{pgfplots}',
  ),
  article(
    'a table of a plot without its separator',
    '\\begin{tikzpicture}\n\\begin{axis}\n⟦missing-column⟧\\addplot table[x=t, y=v] {data.csv};\n\\end{axis}\n\\end{tikzpicture}',
    '\\usepackage{pgfplots}\n\\pgfplotsset{compat=1.18}',
    { files: { 'data.csv': 't,v\n1,2\n2,3\n' } },
  ),
  article(
    'a diagram in the argument of a command',
    '\\boxed{\n⟦tikz-syntax⟧\\begin{tikzcd}\nA \\arrow[r] & B\n\\end{tikzcd}\n}',
    '\\usepackage{tikz-cd}\n\\newcommand{\\boxed}[1]{\\fbox{$#1$}}',
  ),
  article(
    'an animation without its pictures',
    'Text.\n⟦missing-file⟧\\animategraphics[autoplay]{12}{frames/tide-}{0}{3}',
    '\\usepackage{animate,graphicx}',
  ),
  article(
    'a misspelled option of a video',
    r`⟦unknown-option⟧\includemedia[widht=5cm]{Play}{tide.mp4}`,
    r`\usepackage{media9}`,
    {
      files: { 'tide.mp4': 'no video' },
    },
  ),
]
