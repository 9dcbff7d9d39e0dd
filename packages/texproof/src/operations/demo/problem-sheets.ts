/** A course: one document per week, with a shared style. */
import type { DemoRepository } from './demo-repository.ts'

const weeks: readonly (readonly [topic: string, first: string, second: string])[] = [
  ['Sets', 'List the subsets of $\\{1, 2, 3\\}$.', 'Show that $A \\cap (B \\cup C) = (A \\cap B) \\cup (A \\cap C)$.'],
  ['Maps', 'Give a map that is injective and not surjective.', 'Show that a composition of bijections is one.'],
  [
    'Induction',
    'Show that $1 + 2 + \\dots + n = n(n+1)/2$.',
    'Find what is wrong with a proof that all tides are equal.',
  ],
  ['Numbers', 'Show that $\\sqrt{2}$ is irrational.', 'Show that between two fractions lies another.'],
  ['Sequences', 'Find the limit of $n/(n+1)$.', 'Give a bounded sequence without a limit.'],
  ['Series', 'Sum $1/2^n$ from $n = 1$.', 'Show that the harmonic series grows beyond every bound.'],
  ['Continuity', 'Show that $x \\mapsto x^2$ is continuous.', 'Find a map that is continuous nowhere.'],
  ['Derivatives', 'Differentiate $x \\sin x$.', 'Show that a differentiable map is continuous.'],
  ['Mean values', 'State the mean value theorem.', 'A ship made 20 miles in an hour. What does the theorem say of it?'],
  ['Taylor', 'Expand $\\cos x$ to the fourth order.', 'Bound what is left over for $|x| < 1$.'],
  ['Integrals', 'Integrate $x e^x$.', 'Show that the integral of an odd map over $[-1, 1]$ is zero.'],
  ['Areas', 'Find the area under one arc of $\\sin x$.', 'Find the area of an ellipse.'],
  ['Vectors', 'When are $(1, a)$ and $(a, 1)$ independent?', 'Show that three vectors in the plane are dependent.'],
  ['Matrices', 'Multiply a matrix by its transpose.', 'Show that $(AB)^T = B^T A^T$.'],
  ['Determinants', 'Compute one of size three.', 'When is the determinant of a rotation one?'],
  ['Eigenvalues', 'Find the eigenvalues of a reflection.', 'Show that the eigenvalues of a symmetric matrix are real.'],
  ['Norms', 'Draw the unit balls of three norms.', 'Show that $|x + y| \\le |x| + |y|$.'],
  ['Inner products', 'Find the angle between $(1, 0)$ and $(1, 1)$.', 'Show the inequality of Cauchy and Schwarz.'],
  ['Several variables', 'Find the gradient of $x^2 y$.', 'Where is it zero?'],
  ['Extrema', 'Find the extrema of $x^2 - y^2$.', 'Build a box of given volume from the least wood.'],
  ['Differential equations', "Solve $y' = y$.", "Solve $y'' = -y$ with $y(0) = 1$, $y'(0) = 0$."],
  [
    'Waves',
    'Show that $\\cos(x - ct)$ solves the wave equation.',
    'Add two waves of nearly equal speed. What is heard?',
  ],
  ['Fourier', 'Develop a square wave.', 'Which harmonics are missing, and why?'],
  ['Tides', 'Which periods would you expect at a coast?', 'Why is the fortnight in the sum of two of them?'],
]

/** 24 documents in one repository, each with its own PDF. */
export const problemSheets: DemoRepository = {
  owner: 'bob',
  name: 'sheets',
  description: 'Problem sheets of a course, one document per week',
  visibility: 'public',
  commits: [
    { message: 'Write the first twelve sheets', hoursAgo: 900, files: new Map([style(), ...sheets(1, 12)]) },
    { message: 'Write the other twelve', hoursAgo: 70, files: new Map(sheets(13, 24)) },
  ],
}

function style(): [path: string, text: string] {
  return [
    'sheet.sty',
    String.raw`\ProvidesPackage{sheet}
\RequirePackage{amsmath}
\RequirePackage[margin=3cm]{geometry}
\newcommand{\sheet}[2]{\begin{center}\Large Sheet #1: #2\end{center}}
\newcounter{problem}
\newcommand{\problem}{\par\bigskip\noindent\refstepcounter{problem}\textbf{Problem \theproblem.} }
`,
  ]
}

function sheets(from: number, to: number): [path: string, text: string][] {
  return weeks.slice(from - 1, to).map(([topic, first, second], index) => {
    const number = String(from + index).padStart(2, '0')
    return [
      `sheet-${number}.tex`,
      String.raw`\documentclass{article}
\usepackage{sheet}
\begin{document}
\sheet{${from + index}}{${topic}}
\problem ${first}
\problem ${second}
\end{document}
`,
    ]
  })
}
