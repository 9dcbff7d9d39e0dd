/** Rules for messages of packages. */
import { closest } from '../closest.ts'
import { explainLfsPointer } from '../lfs-pointers.ts'
import { readUpperLine } from '../read-upper-line.ts'
import { suggestFile } from '../suggest-file.ts'
import { ANCHORS, arrowTips } from '../tikz-libraries.ts'
import type { Rule } from '../types.ts'

export const PACKAGE_RULES: readonly Rule[] = [
  [
    'missing-file',
    /^(?:dvips: |x?dvipdfmx:).*Could not find (?:figure )?file:? (\S+?)(?:; continuing\.?)?$/,
    ({ match, knowledge }) => ({
      summary: `The file "${match[1] ?? ''}" was not found.`,
      remedy:
        suggestFile(match[1] ?? '', knowledge.files) ??
        'Add it to the project, or check its name and folder in \\special.',
    }),
  ],
  [
    'postscript-error',
    /^Ghostscript could not make the PDF: \/(\w+) in (?:--)?([^\s-]+)/,
    ({ match }) => ({
      summary: `PostScript in the document fails at "${match[2] ?? ''}": ${POSTSCRIPT_ERRORS.get(match[1] ?? '') ?? match[1] ?? ''}.`,
      remedy: 'Check the formulas and coordinates of pstricks, the code in \\special, and EPS images.',
    }),
  ],
  [
    'unknown-graphics-format',
    /Cannot determine size of graphic in (.+\.(?:png|jpe?g|pdf|xbb)) \(no BoundingBox\)/i,
    ({ match }) => ({
      summary: `The size of ${match[1] ?? ''} is unknown: the document makes PostScript, which includes EPS images only.`,
      remedy: 'Remove the option dvips and compile with pdfLaTeX, or convert the image to EPS.',
    }),
  ],
  [
    'unknown-graphics-format',
    /Unknown graphics extension: (\.\S+?)\.?$|Cannot determine size of graphic in (.+?) \(no (?:BoundingBox|size specified)\)/,
    ({ match }) => ({
      summary:
        match[1] === undefined
          ? `The format of the image ${match[2] ?? ''} is not supported.`
          : `Images in the format ${match[1]} are not supported.`,
      remedy: 'Convert the image to PDF, PNG or JPEG.',
    }),
  ],
  [
    'damaged-picture',
    /^(?:pdfTeX error: |LuaTeX error:? |error: ?).*\(file (?:\.\/)?(.+?)\)/,
    ({ match: [, name = ''], knowledge }) =>
      knowledge.lfsPointers.has(name)
        ? explainLfsPointer(name)
        : {
            summary: `The file ${name} is damaged, or is not in the format of its extension.`,
            remedy: 'Export it again, or give it the extension of its real format.',
          },
  ],
  [
    'tikz-syntax',
    /Package tikz Error: (?:Cannot parse this coordinate|A node must have a|\(, \+, coordinate|\+ or - expected)/,
    ({ message, context, knowledge }) =>
      knowledge.packages.has('babel') && /\[[^\]]*"/.test(readUpperLine(context) ?? '')
        ? {
            summary: 'babel makes " a shorthand in this language, which breaks TikZ.',
            remedy: 'Load the library that avoids it: \\usetikzlibrary{babel}.',
          }
        : {
            summary: message.includes('A node must')
              ? 'A TikZ node has no text in braces.'
              : 'TikZ does not understand this path.',
            remedy: message.includes('A node must')
              ? 'Write its text in braces, which may be empty: \\node (a) {…};'
              : 'Write coordinates as (x,y) and end the path before this line with ";".',
          },
  ],
  [
    'unknown-function',
    /PGF Math Error: Unknown (?:function|operator) [`'](.+?)'/,
    ({ match, message, context }) => {
      const name = match[1] ?? ''
      // TikZ has no anchor of this name, and reads the name as an angle.
      if (message.includes(`(in '${name}')`) && (readUpperLine(context) ?? '').includes(`.${name})`)) {
        const meant = closest(name, ANCHORS)
        return {
          summary: `"${name}" is not an anchor of this node.`,
          remedy: meant === null ? 'Write north, south, east, west, center, or an angle.' : `Did you mean ${meant}?`,
        }
      }
      const isPosition = / 'of |`of'/.test(message)
      return isPosition
        ? {
            summary: 'Positions such as "right=of a" require a TikZ library.',
            remedy: 'Load it: \\usetikzlibrary{positioning}.',
          }
        : {
            summary: `"${name}" is not a function, number or unit that TikZ recognizes.`,
            remedy: 'Check its name. Commands and variables of a plot begin with a backslash, except x.',
          }
    },
  ],
  [
    'number-too-large',
    /PGF Math Error: You've asked me to divide/,
    () => ({
      summary: 'A number is divided by zero.',
      remedy: 'Exclude zero, for example with domain=0.01:2, or choose a number of samples that skips it.',
    }),
  ],
  [
    'unknown-option',
    /Package Listings Error: \w+ (\S+) unknown/,
    ({ match }) => ({
      summary: `"${match[1] ?? ''}" is not an option here.`,
      remedy: 'Check its name in the documentation of listings.',
    }),
  ],
  [
    'unknown-function',
    /You need to say \\usetikzlibrary\{(\w+)\}/,
    ({ match }) => ({
      summary: 'Calculations with coordinates require a TikZ library.',
      remedy: `Load it: \\usetikzlibrary{${match[1] ?? 'calc'}}.`,
    }),
  ],
  [
    'unknown-option',
    /Unknown arrow tip kind [`'](.+?)'/,
    ({ match }) => {
      const meant = closest(match[1] ?? '', arrowTips)
      return {
        summary: `The arrow tip "${match[1] ?? ''}" is not defined.`,
        remedy: `${meant === null ? 'Check its name, or load' : `Did you mean ${meant}? Load`} the library: \\usetikzlibrary{arrows.meta}.`,
      }
    },
  ],
  [
    'incompatible-packages',
    /Package (\S+) Error: (?:Incompatible package '(.+?)'|This package can't be used in cooperation with the (\S+) package)/,
    ({ match }) => ({
      summary: `The packages ${match[1] ?? ''} and ${match[2] ?? match[3] ?? ''} cannot be used together.`,
      remedy: 'Remove one of them.',
    }),
  ],
  [
    'biblatex-command',
    /Package biblatex Error: '(\\\S+)' invalid for 'biblatex'/,
    ({ match }) => ({
      summary: `${match[1] ?? ''} does not work with biblatex.`,
      remedy: 'Remove it. Choose the style as an option, \\usepackage[style=…]{biblatex}, and use \\printbibliography.',
    }),
  ],
  [
    'package-order',
    /Package (\S+) Error: \S+ must be loaded after (\S+?)!?\.?$/,
    ({ match }) => ({
      summary: `The package ${match[1] ?? ''} must be loaded after ${match[2] ?? ''}.`,
      remedy: `Move \\usepackage{${match[1] ?? ''}} below \\usepackage{${match[2] ?? ''}}.`,
    }),
  ],
  [
    'wrong-driver',
    /Wrong (?:DVI mode|PDF mode)? ?driver option [`'](.+?)'/,
    ({ match, knowledge }) => ({
      summary: `The option ${match[1] ?? ''} selects a driver that does not match the engine.`,
      // Slides such as powerdot load hyperref themselves, with its option.
      remedy: knowledge.packages.has('hyperref')
        ? 'Remove the option: the package detects the engine.'
        : 'Remove the option. If the class sets it, compile with LaTeX and dvips: % !TEX program = latex.',
    }),
  ],
  [
    'missing-column',
    /could not retrieve column '(.*?)' from table/,
    ({ match }) => ({
      summary: `The table has no column "${match[1] ?? ''}".`,
      remedy: 'Check the first line of the file, and set the separator: col sep=comma.',
    }),
  ],
  [
    'index-syntax',
    /^makeindex: Unknown specifier (.+) in (\S+)$/,
    ({ match }) => ({
      summary: `makeindex does not support ${match[1] ?? ''} in the style ${match[2] ?? ''}.`,
      remedy: 'Check the name, and that every text before it is in quotes, with \\\\ for a backslash.',
    }),
  ],
  [
    'missing-file',
    /^makeindex: Index style file (.+?) not found/,
    ({ match, knowledge }) => ({
      summary: `The index style "${match[1] ?? ''}" was not found.`,
      remedy: suggestFile(match[1] ?? '', knowledge.files) ?? 'Add it to the project, or check its name.',
    }),
  ],
  [
    'missing-makeindex',
    /^No file \S.*\.ind\.$/,
    () => ({
      summary: 'The index is empty: without \\makeindex, LaTeX does not collect its entries.',
      remedy: 'Add \\makeindex to the preamble, before \\begin{document}.',
    }),
  ],
  [
    'index-syntax',
    /^makeindex left out an entry: |^makeindex: Unmatched range/,
    ({ message }) => ({
      summary: message.includes('range')
        ? 'An index entry has a range without its beginning or end.'
        : 'makeindex does not understand this index entry.',
      remedy: message.includes('range')
        ? 'Write \\index{entry|(} at the beginning and \\index{entry|)} at the end.'
        : 'An entry has at most three levels: a!b!c. Write "!, "@ and "| for the characters themselves.',
    }),
  ],
  [
    'invalid-name',
    /^Name ".*" has too many commas|^Too many commas in name|Name in key '.+?' is empty/,
    () => ({
      summary: 'The authors or editors of this bibliography entry are not written correctly.',
      remedy: 'Write "Last, First" and put "and" between two people: {Smith, Ann and Jones, Bob}.',
    }),
  ],
  [
    'space-in-file-name',
    /^White space in argument/,
    ({ context }) => ({
      summary: 'BibTeX does not accept a space in the name of a file or folder.',
      remedy: context.includes('\\bibstyle')
        ? 'Rename the style, and change \\bibliographystyle.'
        : 'Rename the chapter or its folder, and change \\include.',
    }),
    (diagnostic) => diagnostic.type === 'error' && /\\(?:@input|bibstyle)\{/.test(diagnostic.context ?? ''),
  ],
  [
    'invalid-key',
    /^White space in argument/,
    ({ context }) => ({
      summary: 'A key in \\cite contains a space.',
      remedy: /\\citation\{[^{}\s]*;/.test(context)
        ? 'Separate the keys with commas: \\cite{first,second}.'
        : 'Remove the space here and in the entry: keys consist of letters, digits and punctuation.',
    }),
  ],
  [
    'undefined-crossref',
    /^A bad cross reference---entry "(.+?)" refers to entry "(.+?)"/,
    ({ match }) => ({
      summary: `The entry "${match[1] ?? ''}" has a crossref to "${match[2] ?? ''}", which does not exist.`,
      remedy: 'Add the entry, check its key, or remove the field crossref.',
    }),
  ],
  [
    'file-not-writable',
    /^I can't write on file [`'](.+?)'/,
    ({ match }) => ({
      summary: `The document cannot write the file ${match[1] ?? ''}.`,
      remedy: /[/\\]|^\./.test(match[1] ?? '')
        ? 'Write only to files in the folder of the document, without \\openout to other folders.'
        : 'A compile can create about 4000 files. Look for a loop that writes more, or use one file.',
    }),
  ],
  [
    'unknown-option',
    /Package csquotes Error: (?:Quote style not defined|No style for language)/,
    () => ({
      summary: 'This style of quotation marks is not defined.',
      remedy: 'Check its name, or define it with \\DeclareQuoteStyle.',
    }),
  ],
  [
    'unknown-option',
    /Unused global option\(s\): \[(.+?)\]/,
    ({ match }) => ({
      summary: `The class and the packages have no option "${match[1] ?? ''}".`,
      remedy: 'Check its name in \\documentclass, or remove it.',
    }),
  ],
  [
    'invalid-encoding',
    /Keyboard character used is undefined in inputencoding [`'](.+?)'/,
    ({ match }) => ({
      summary: `This line has a character that the encoding ${match[1] ?? ''} does not contain.`,
      remedy: 'Save the file as UTF-8, and remove \\usepackage[…]{inputenc}.',
    }),
  ],
  [
    'missing-glossary-field',
    /Package glossaries Error: (\w+) key required in \S+ for entry [`'](.+?)'/,
    ({ match }) => ({
      summary: `The glossary entry "${match[2] ?? ''}" has no ${match[1] ?? ''}.`,
      remedy: `Add it: ${match[1] ?? ''}={…}.`,
    }),
  ],
  [
    'command-already-defined',
    /Glossary entry [`'](.+?)' has already been defined/,
    ({ match }) => ({
      summary: `The glossary entry "${match[1] ?? ''}" is defined twice.`,
      remedy: 'Remove one of the two, or change its label.',
    }),
  ],
  [
    'undefined-glossary-entry',
    /requested acronym [`'](.+?)' .*haven't defined|Acronym [`'](.+?)' is not defined/,
    ({ match }) => ({
      summary: `The acronym "${match[1] ?? match[2] ?? ''}" is not defined.`,
      remedy: 'Define it with \\DeclareAcronym or \\acro, or check its name.',
    }),
  ],
  [
    'invalid-number',
    /Too many ';' separators in argument/,
    () => ({
      summary: 'An angle has more than three parts.',
      remedy: 'Write degrees, minutes and seconds: \\ang{12;30;45}.',
    }),
  ],
  [
    'unmatched-environment',
    /Package algorithmicx Error: Some blocks are not closed/,
    () => ({
      summary: 'A block of this algorithm is not closed.',
      remedy: 'Add \\EndIf, \\EndFor, \\EndWhile or \\EndFunction before \\end{algorithmic}.',
    }),
  ],
  [
    'wrong-mode',
    /Package longtable Error: longtable not in 1-column mode/,
    () => ({
      summary: 'longtable does not work in two columns.',
      remedy: 'Switch to \\onecolumn before it, or use tabular in a table*.',
    }),
  ],
  [
    'wrong-engine',
    /Package microtype Error: (.+?) does not work with (\w+)/,
    ({ match }) => ({
      summary: `${match[1] ?? ''} does not work with ${match[2] ?? ''}.`,
      remedy: 'Remove the option of microtype, or compile with another engine.',
    }),
  ],
  [
    'two-labels',
    /Package amsmath Error: Multiple \\(label|tag)/,
    ({ match }) => ({
      summary: `A line of this formula has two \\${match[1] ?? 'label'}s.`,
      remedy: 'Remove one of them. In align, put each on its own line, before \\\\.',
    }),
  ],
  [
    'undefined-reference',
    /cref reference format for label type [`']{2} ?undefined|cref reference format for label type `' undefined/,
    () => ({
      summary: '\\cref refers to a \\label that is not attached to anything numbered.',
      remedy: 'Put the \\label after \\caption, or inside the numbered environment.',
    }),
  ],
  [
    'undefined-environment',
    /^The class \S+ has no environment "frame"/,
    () => ({
      summary: 'The environment "frame" works only in beamer: here it draws a box.',
      remedy: 'For slides, use \\documentclass{beamer}. In an article, load \\usepackage{beamerarticle}.',
    }),
  ],
  [
    'missing-file',
    /^Package xr\S* Warning: No file (\S+)\.aux/,
    ({ match }) => ({
      summary: `References to ${match[1] ?? ''} are undefined, because ${match[1] ?? ''}.aux does not exist.`,
      remedy: `Add ${match[1] ?? ''}.tex to the project and make sure that it can be compiled, or add ${match[1] ?? ''}.aux.`,
    }),
  ],
  [
    'label-before-caption',
    /^\\label\{(.+?)\} is before its \\caption/,
    ({ match }) => ({
      summary: `\\ref{${match[1] ?? ''}} shows a wrong number, because the label is before its \\caption.`,
      remedy: 'Put \\label after \\caption, or inside it.',
    }),
  ],
]

/** Errors of PostScript that authors cause. */
const POSTSCRIPT_ERRORS: ReadonlyMap<string, string> = new Map([
  ['undefined', 'it is not defined'],
  ['undefinedresult', 'a number is divided by zero, or the result is not defined'],
  ['rangecheck', 'a value is out of range'],
  ['typecheck', 'a value has the wrong type'],
  ['stackunderflow', 'a value is missing'],
  ['syntaxerror', 'a bracket is missing or extra'],
  ['limitcheck', 'a limit is exceeded'],
])
