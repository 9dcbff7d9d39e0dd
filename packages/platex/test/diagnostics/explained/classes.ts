import { article, project, type ExplainedDocument } from '../explained-document.ts'

const r = String.raw
const paper = (title: string, name: string, preamble: string, body: string): ExplainedDocument =>
  project(title, { 'main.tex': `\\documentclass${name}\n${preamble}\n\\begin{document}\n${body}\n\\end{document}\n` })

/** Classes of journals, curricula vitae and exams; indexes and nomenclatures. */
export const explainedClasses: readonly ExplainedDocument[] = [
  paper(
    'an abstract of acmart after the title',
    '[sigconf,nonacm]{acmart}',
    r`\title{Tides}\author{Alice}\affiliation{\institution{U}\city{C}\country{D}}`,
    '\\maketitle\n\\begin{abstract}\nLate.\n⟦wrong-mode⟧\\end{abstract}',
  ),
  paper(
    'an affiliation of acmart without its country',
    '[sigconf,nonacm]{acmart}',
    r`\title{Tides}\author{Alice}\affiliation{\institution{U}\city{C}}`,
    '⟦missing-title⟧\\maketitle\nText.',
  ),
  paper(
    'concepts of acmart that are not ended',
    '[sigconf,nonacm]{acmart}',
    '',
    '⟦unmatched-environment⟧\\begin{CCSXML}\n<ccs2012>\n</ccs2012>\n\\maketitle\nText.',
  ),
  project('a curriculum vitae without a name', {
    'main.tex':
      '\\documentclass{moderncv}\n\\moderncvstyle{classic}\n\\moderncvcolor{blue}\n⟦missing-title⟧\\begin{document}\n\\makecvtitle\nText.\n\\end{document}\n',
  }),
  paper(
    'a color that moderncv does not have',
    '{moderncv}',
    '\\moderncvstyle{classic}\n⟦missing-package⟧\\moderncvcolor{blau}\n\\name{Alice}{Adams}',
    '\\makecvtitle\nText.',
  ),
  paper(
    'an entry of moderncv with too few arguments',
    '{moderncv}',
    '\\moderncvstyle{banking}\n\\moderncvcolor{blue}\n\\name{Alice}{Adams}',
    '\\makecvtitle\n⟦runaway-argument⟧\\cventry{2010}{Degree}{Institution}{City}{Grade}\n\nText.',
  ),
  paper('a question outside of its environment', '{exam}', '', '⟦undefined-command⟧\\question What is it?'),
  paper(
    'points of a question that are not closed',
    '{exam}',
    '',
    '\\begin{questions}\n⟦runaway-argument⟧\\question[10 What is it?\n\nChoose.\n\\begin{choices}\n\\choice A\n\\end{choices}\n\\end{questions}',
  ),
  article(
    'an index style that is missing',
    'Text\\index{alpha}.\n\\printindex',
    '\\usepackage{imakeidx}\n⟦missing-file⟧\\makeindex[options=-s nosuch.ist]',
  ),
  article(
    'a misspelled name in an index style',
    'Text\\index{alpha}.\n\\printindex',
    '\\usepackage{imakeidx}\n\\makeindex[options=-s own.ist]',
    {
      files: { 'own.ist': '⟦index-syntax⟧heading_flag 1\n' },
    },
  ),
  article(
    'an underscore in a nomenclature',
    '⟦outside-math⟧Text\\nomenclature{a_b}{acceleration}.\n\\printnomenclature',
    '\\usepackage{nomencl}\n\\makenomenclature',
  ),
  paper(
    'a part of a question outside of its environment',
    '{exam}',
    '',
    '\\begin{questions}\n\\question A\n⟦wrong-mode⟧\\part B\n\\part C\n\\end{questions}',
  ),
  paper(
    'a part of a part outside of its environment',
    '{exam}',
    '',
    '\\begin{questions}\n\\question A\n\\begin{parts}\n\\part B\n⟦wrong-mode⟧\\subpart C\n\\end{parts}\n\\end{questions}',
  ),
]
