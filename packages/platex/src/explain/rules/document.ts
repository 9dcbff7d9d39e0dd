/** The preamble, and commands in the wrong half of the document. */
import type { Rule } from '../types.ts'

export const DOCUMENT_RULES: readonly Rule[] = [
  [
    'missing-file',
    /^TeX cannot read a file with the name/,
    ({ message }) => ({
      summary: message,
      remedy: 'Rename it without % { } ~ \\ " and ^^, and without two spaces in a row.',
    }),
  ],
  [
    'missing-begin-document',
    /Missing \\begin\{document\}/,
    ({ context }) =>
      /^l\.\d+ \\begin\{d\s*$/m.test(context)
        ? {
            summary: 'This command has too few arguments, so it used \\begin{document} as one.',
            remedy: 'Add the missing argument in braces.',
          }
        : /^l\.\d+ \\maketitle/m.test(context)
          ? { summary: '\\maketitle is before \\begin{document}.', remedy: 'Move it after \\begin{document}.' }
          : {
              summary: 'There is text before \\begin{document}.',
              remedy: 'Add \\begin{document} before the text, or remove what is not a command from the preamble.',
            },
  ],
  [
    'missing-begin-document',
    /I can't find file [`']\S+\.aux'/,
    () => ({
      summary: 'A command before \\begin{document} has too few arguments, so it used \\begin{document} as one.',
      remedy: 'Check the arguments of the last command before \\begin{document}.',
    }),
  ],
  [
    'preamble-only',
    /Can be used only in preamble/,
    ({ context }) => {
      const command = /^l\.\d+ .*\\(documentclass|bibliography|addbibresource)\b/m.exec(context)?.[1]
      if (command === 'documentclass')
        return {
          summary: 'A file that is read by another document has its own \\documentclass.',
          remedy:
            'Remove its \\documentclass, \\begin{document} and \\end{document}, or use the package subfiles or standalone.',
        }
      if (command === 'bibliography')
        return {
          summary: 'With biblatex, \\bibliography works only before \\begin{document}.',
          remedy: 'Write \\addbibresource{….bib} in the preamble, and \\printbibliography here.',
        }
      return { summary: 'This command works only before \\begin{document}.', remedy: 'Move it to the preamble.' }
    },
  ],
  [
    'option-clash',
    /Option clash for package (\S+?)\.?$/,
    ({ match, context }) => ({
      summary: `The package ${match[1] ?? ''} is loaded twice with different options.`,
      // A package cannot be loaded before the class.
      remedy: `Remove the options here, and write \\PassOptionsToPackage{${LATER_OPTIONS.exec(context)?.[1]?.replaceAll('\n', '') ?? '…'}}{${match[1] ?? ''}} before \\documentclass.`,
    }),
  ],
  [
    'command-already-defined',
    /Command `?(\\[^\s']+)'? already defined|LaTeX cmd Error: (?:Command|Environment) '(\S+)' already|Control sequence (\\\S+) already defined/,
    ({ match, knowledge, context }) => {
      const name = match.slice(1).find((group) => group !== undefined) ?? ''
      const acronym = /^\\(?:c@)?g@?_*@?acro[@_](.+?)[@_](?:int|pages|barriers)/.exec(name)?.[1]
      if (acronym !== undefined)
        return {
          summary: `The acronym "${acronym}" is defined twice.`,
          remedy: 'Remove one of the two, or change its identifier.',
        }
      if (isInPackage(context))
        return {
          summary: `A package or class that this line loads defines ${name}, which is already defined.`,
          remedy:
            'Two packages, or the class and a package, define the same command: remove one of them, if the other provides what you need.',
        }
      const environment = name.slice(1)
      return knowledge.environments.has(environment) && !knowledge.commands.has(name)
        ? {
            summary: `The environment "${environment}" is already defined.`,
            remedy: 'Remove one of its definitions, or choose another name. A class can define it, too.',
          }
        : {
            summary: `${name} is already defined.`,
            remedy: 'Use \\renewcommand to replace it, or choose another name.',
          }
    },
  ],
]

/** The second list of options, which LaTeX prints below an option clash; TeX breaks long lines. */
const LATER_OPTIONS = /attempt to load it with options\s+\[([^[\]]{1,200})\]/

/** Whether TeX read a package or class: the error is placed at the line that loads it. */
function isInPackage(context: string): boolean {
  return /^TeX reported it at [^\n;]+:\d+\.$/m.test(context)
}
