import { article, type ExplainedDocument } from '../explained-document.ts'

const r = String.raw
const lua = { engine: 'lualatex' } as const

/** Code in Lua and expl3, fonts, and commands of other engines. */
export const explainedProgramming: readonly ExplainedDocument[] = [
  article(
    'an error in a Lua file of the project',
    r`\directlua{tex.print(compute(3))}`,
    r`\directlua{require("helpers")}`,
    {
      ...lua,
      files: { 'helpers.lua': 'function compute(n)\n⟦lua-error⟧  return n * factor\nend\n' },
    },
  ),
  article('a Lua file that is missing', 'Text.', r`⟦missing-file⟧\directlua{dofile("scripts/helper.lua")}`, lua),
  article(
    'a parenthesis of Lua that is not closed',
    '\\begin{luacode}\nfor i = 1, 3 do\n  tex.print(string.format("%d", i)\n⟦lua-error⟧end\n\\end{luacode}',
    r`\usepackage{luacode}`,
    lua,
  ),
  article('a command of LuaTeX in pdfLaTeX', r`⟦undefined-command⟧Text \directlua{tex.print(1)}.`),
  article('expl3 code without its switch', 'Text.', r`⟦undefined-command⟧\tl_new:N \l_my_tl`),
  article(
    'a misspelled function of expl3',
    r`\show`.replace('show', 'myshow{a}'),
    '\\ExplSyntaxOn\n⟦undefined-command⟧\\cs_new:Npn \\my_show:n #1 { \\tl_sett:Nn \\l_tmpa_tl {#1} }\n\\NewDocumentCommand \\myshow {m} { \\my_show:n {#1} }\n\\ExplSyntaxOff',
  ),
  article(
    'a variable of expl3 that is defined twice',
    'Text.',
    '\\ExplSyntaxOn\n\\tl_new:N \\l_my_tl\n⟦command-already-defined⟧\\tl_new:N \\l_my_tl\n\\ExplSyntaxOff',
  ),
  article('an unknown type of an argument', 'Text.', r`⟦parameter-number⟧\NewDocumentCommand{\foo}{o q m}{#1}`),
  ...(['xelatex', 'lualatex'] as const).flatMap((engine) => [
    article(
      'a damaged font of the project',
      'Text.',
      '\\usepackage{fontspec}\n⟦missing-font⟧\\setmainfont{MyFont.otf}[Path=fonts/]',
      { engine, files: { 'fonts/MyFont.otf': 'no font' } },
    ),
    article(
      'a bold font that is not installed',
      r`Text \textbf{bold}.`,
      '\\usepackage{fontspec}\n⟦missing-font⟧\\setmainfont{Latin Modern Roman}[BoldFont=No Such Bold]',
      { engine },
    ),
  ]),
  article('a counter that is not defined, printed', r`⟦undefined-counter⟧\arabic{foo}`),
  article('a path with backslashes', r`⟦undefined-command⟧\input{chapters\intro}`, '', {
    files: { 'chapters/intro.tex': 'Text.\n' },
  }),
  article(
    'a package that is loaded too late, and its command',
    '⟦preamble-only⟧\\usepackage{graphicx}\nText \\includegraphics{example-image}.',
  ),
  article(
    'an environment that is defined by itself',
    '\\begin{itemize}\n\\item One\n\\end{itemize}',
    r`⟦capacity-exceeded⟧\renewenvironment{itemize}{\begin{itemize}\setlength{\itemsep}{0pt}}{\end{itemize}}`,
  ),
  article(
    'a percent sign in Lua code',
    '\\directlua{\n⟦lua-error⟧  local s = string.format("%d", 3)\n  tex.print(s)\n}',
    '',
    lua,
  ),
  article(
    'a percent sign that hides a brace of Lua code',
    'Text.\n⟦lua-error⟧\\directlua{tex.print(7 % 2)}\nMore.',
    '',
    lua,
  ),
  article(
    'an error of syntax in Lua code after a page',
    'Text.\\newpage\n⟦lua-error⟧\\directlua{x = = 1}\nMore.',
    '',
    lua,
  ),
  article('a comment in Lua code', 'Text.\n\\directlua{\n⟦lua-error⟧  -- add numbers\n  tex.print(1 + 2)\n}', '', lua),
]
