/** Commands, environments, packages and files that do not exist. */
import { explainAlgorithmCommand } from '../algorithm-commands.ts'
import { closest } from '../closest.ts'
import {
  beamerCommands,
  beamerThemes,
  classNames,
  latexCommands,
  latexEnvironments,
  namesOfClass,
  packageNames,
  siunitxUnits,
} from '../known-commands.ts'
import { environmentOfCommand, optionOfCommand, packageOfCommand, packageOfEnvironment } from '../known-packages.ts'
import { explainLfsPointer } from '../lfs-pointers.ts'
import { readUpperLine } from '../read-upper-line.ts'
import { explainSubmodule } from '../submodules.ts'
import { explainOwnPackage } from '../own-packages.ts'
import { suggestFile } from '../suggest-file.ts'
import { plotLibraries, plotLibraryOfEnvironment, tikzLibraries } from '../tikz-libraries.ts'
import type { Explanation, Finding, Knowledge, Rule } from '../types.ts'
import { isInternal } from './shared.ts'

export const MISSING_RULES: readonly Rule[] = [
  ['undefined-command', /Undefined control sequence:? ?(\\(?:[\p{L}\p{M}@_:]+|.))?/u, undefinedCommand],
  [
    'undefined-command',
    /^LaTeX (?:cmd )?Error: Command '?(\\[^\s']+)'? undefined/,
    ({ match, knowledge }) => {
      const name = match[1] ?? ''
      const meant = closest(name, new Set([...knowledge.classes].flatMap(namesOfClass)))
      return {
        summary: `${name} is not defined, so it cannot be redefined.`,
        remedy: meant === null ? 'Use \\newcommand to define it, or check its name.' : `Did you mean ${meant}?`,
      }
    },
  ],
  ['undefined-environment', /Environment (\S+) undefined/, undefinedEnvironment],
  ['missing-package', /File [`'](.+)\.(sty|cls)' not found/, missingPackage],
  [
    'missing-file',
    /File [`'](utf-?8\S*)\.def' not found/i,
    () => ({ summary: 'inputenc does not support this encoding.', remedy: 'Write \\usepackage[utf8]{inputenc}.' }),
    ({ message }) => !message.includes("`utf8.def'"),
  ],
  [
    'missing-file',
    /^Package svg Error: File [`'](.+?)_svg-(?:tex|raw)\.\w+' is missing/,
    ({ match: [, name] }) => ({
      summary: `The image ${name ?? ''}.svg was not converted to PDF, because the option inkscape=false forbids it.`,
      remedy: 'Remove the option, or add the converted files to the folder svg-inkscape.',
    }),
  ],
  [
    'missing-file',
    /(?:File|file) [`'"](.+?)['"] (?:not found|is missing)|No verbatim file (\S+)|Unable to load picture or PDF file '(.+?)'|Cannot find file [`'](.+?)'|Could not read table file '(.+?)'|File '(.+?)' not existent|\(file [`'](.+?)' doesn't exist\)/,
    missingFile,
  ],
  // Files that LaTeX and its packages write are missing in every first pass.
  [
    'missing-file',
    /^No file (?!\S+\.(?:aux|bbl|bcf|toc|lo[a-z]|ind|idx|gl[a-z]|acr|acn|nls|nlo|out|brf|ent|maf|mtc\d*|nav|snm|vrb|xwm|listing)\.$)(\S+)\.$/,
    missingFile,
  ],
  [
    'missing-file',
    /I did not find the tikz library '(.+?)'|find file `pgflibrarypgfplots\.(.+?)\.code\.tex'/,
    ({ match: [, library, plotLibrary] }) => ({
      summary: `The ${library === undefined ? 'pgfplots' : 'TikZ'} library "${library ?? plotLibrary ?? ''}" was not found.`,
      remedy:
        suggestName(library ?? plotLibrary ?? '', library === undefined ? plotLibraries : tikzLibraries) ??
        `Check its name in ${library === undefined ? '\\usepgfplotslibrary' : '\\usetikzlibrary'}.`,
    }),
  ],
  [
    'missing-file',
    /^Package animate Error: None of the files [`'](.+?)\.\w+'/,
    ({ match }) => ({
      summary: `The image ${match[1] ?? ''} of the animation was not found.`,
      remedy: 'Add the images to the project, or check the file name and the numbers of the first and the last frame.',
    }),
  ],
]

const PATH_OF_WINDOWS =
  /\{[A-Za-z]:\\|\\(?:input|include|includegraphics|subfile)\b(?:\[[^\]]*\])?\{[^{}\\]+\\[A-Za-z]+\}?$/

function undefinedCommand({ match, context, knowledge }: Finding): Explanation {
  const name = match[1] ?? /(\\[A-Za-z@]+)\s*$/m.exec(context)?.[1]
  if (PATH_OF_WINDOWS.test(readUpperLine(context) ?? ''))
    return {
      summary: 'A Windows path contains backslashes, which TeX reads as commands.',
      remedy: 'Add the file to the project and write its name, with "/" for folders: {images/plot.png}.',
    }
  if (name === undefined) return { summary: 'A command here is not defined.', remedy: null }
  if (isInternal(name) && !knowledge.commands.has(name) && !knowledge.internals.has(name))
    return {
      summary: `A package or an earlier error left its internal command ${name} undefined.`,
      remedy: 'Fix the errors before this one first. If it remains, check the order in which packages are loaded.',
    }
  const summary = `${name} is not defined.`
  if (name === '\\undefinedpagestyle')
    return { summary: 'The page style is not defined.', remedy: 'Check its name, or load the package that defines it.' }
  if (REVTEX_COMMANDS.has(name))
    return { summary, remedy: 'It is defined by journal classes such as \\documentclass{revtex4-2}.' }
  if (name === '\\chapter')
    return { summary, remedy: 'Use a class that has chapters, such as report or book, or begin with \\section.' }
  // TeX shows the rest of the line below the command.
  const environment = /^l\.\d+ .*\n\s*\{(\w+)\*?\}/m.exec(context)?.[1]
  if (name.startsWith('\\b') && environment !== undefined && latexEnvironments.includes(environment))
    return { summary, remedy: 'Did you mean \\begin?' }
  if (beamerCommands.has(name))
    return {
      summary,
      remedy: 'For slides, use \\documentclass{beamer}. In an article, load \\usepackage{beamerarticle}.',
    }
  const language = /^\\text([a-z]{4,})$/.exec(name)?.[1]
  if (language !== undefined && POLYGLOSSIA_LANGUAGES.has(language) && knowledge.packages.has('polyglossia'))
    return { summary, remedy: `Load the language in the preamble: \\setotherlanguage{${language}}.` }
  if (BOOK_COMMANDS.has(name))
    return { summary, remedy: 'Use a class that has it, such as book, memoir or scrbook, or remove it.' }
  if (name === '\\PSTricks')
    return {
      summary: 'pstricks draws with PostScript, which the engine that compiles the document cannot read.',
      remedy: 'Compile with LaTeX and dvips, % !TEX program = latex, or with XeLaTeX: % !TEX program = xelatex.',
    }
  const algorithm = explainAlgorithmCommand(name, knowledge.packages)
  if (algorithm !== null) return { summary, remedy: algorithm }
  if (isInternal(name))
    return { summary, remedy: 'Check its name, and that the package that defines it is loaded before.' }
  const owner = packageOfCommand.get(name)
  const replacement = replaceCitation(name, owner, knowledge.packages)
  if (replacement !== null) return { summary, remedy: replacement }
  if (owner !== undefined) return { summary, remedy: remedyOfCommand(name, owner, knowledge.packages) }
  const isUnit = /\\(?:SI|si|qty|unit|SIrange|qtyrange)\b/.test(readUpperLine(context) ?? '')
  if (isUnit && siunitxUnits.includes(name) && !knowledge.packages.has('siunitx'))
    return { summary, remedy: 'Load the package of units: \\usepackage{siunitx}.' }
  const known = new Set([
    ...knowledge.commands,
    ...latexCommands,
    ...listLoaded(packageOfCommand, knowledge),
    ...(isUnit ? siunitxUnits : []),
  ])
  const meant = ALGORITHM_COMMANDS.get(name) ?? closest(name, known)
  if (meant !== null) return { summary, remedy: `Did you mean ${meant}?` }
  if (isUnit && knowledge.packages.has('siunitx'))
    return {
      summary,
      remedy: `Units have English names, such as \\second. Define others: \\DeclareSIUnit{${name}}{…}.`,
    }
  return { summary, remedy: 'Define it with \\newcommand, or load the package that provides it.' }
}

/** Names that the class and the packages of the document define. `owners`: name → its package. */
function listLoaded(owners: ReadonlyMap<string, string>, { classes, packages }: Knowledge): readonly string[] {
  const ofPackages = [...owners].filter(([, owner]) => packages.has(owner)).map(([name]) => name)
  return [...ofPackages, ...[...classes].flatMap(namesOfClass)]
}

/** `owner`: the package that defines the command. `packages`: those that the sources load. */
function remedyOfCommand(name: string, owner: string, packages: ReadonlySet<string>): string {
  const environment = environmentOfCommand.get(name)
  const isLoaded = packages.has(owner) || (owner === 'tikz' && TIKZ_PACKAGES.some((one) => packages.has(one)))
  const option = optionOfCommand.get(name)
  const library = plotLibraryOfEnvironment.get(environment ?? '')
  if (isLoaded && environment !== undefined && library !== undefined)
    return `Load \\usepgfplotslibrary{${library}}, and write it between \\begin{${environment}} and \\end{${environment}}.`
  if (isLoaded && environment !== undefined)
    return `Write it between \\begin{${environment}} and \\end{${environment}}.`
  if (option !== undefined) return `Load its package with an option: \\usepackage[${option}]{${owner}}.`
  if (isLoaded) return `Load its package ${owner} above this line. Old versions may not have the command.`
  return `Load its package: \\usepackage{${owner}}.`
}

/** Packages that load TikZ. */
const TIKZ_PACKAGES = ['pgfplots', 'tikz-cd', 'circuitikz', 'forest']

/** polyglossia defines \textfrench if the document loads French. */
const POLYGLOSSIA_LANGUAGES: ReadonlySet<string> = new Set(
  'arabic armenian basque bulgarian catalan chinese croatian czech danish dutch english estonian finnish french galician georgian german greek hebrew hindi hungarian icelandic italian japanese korean latin latvian lithuanian norwegian persian polish portuguese romanian russian sanskrit serbian slovak slovenian spanish swedish syriac tamil thai turkish ukrainian vietnamese welsh'.split(
    ' ',
  ),
)

/** Commands that only the classes of books define. */
const BOOK_COMMANDS: ReadonlySet<string> = new Set(['\\frontmatter', '\\mainmatter', '\\backmatter'])

/** natbib and biblatex cannot be loaded together: their commands are replaced with the commands of the other package. */
function replaceCitation(name: string, owner: string | undefined, packages: ReadonlySet<string>): string | null {
  if (owner === 'natbib' && packages.has('biblatex')) {
    const own = BIBLATEX_COMMANDS.get(name)
    return `natbib cannot be used with biblatex. ${own === undefined ? 'Load' : `Write ${own}, or load`} \\usepackage[natbib=true]{biblatex}.`
  }
  const command = NATBIB_COMMANDS.get(name)
  if (owner !== 'biblatex' || command === undefined || !packages.has('natbib')) return null
  return `It belongs to biblatex, which cannot be used with natbib. Write ${command}.`
}

/** Commands of natbib → commands of biblatex. */
const BIBLATEX_COMMANDS: ReadonlyMap<string, string> = new Map([
  ['\\citep', '\\parencite'],
  ['\\citet', '\\textcite'],
  ['\\citealp', '\\cite'],
])

/** Commands of biblatex → commands of natbib. */
const NATBIB_COMMANDS: ReadonlyMap<string, string> = new Map([
  ['\\parencite', '\\citep'],
  ['\\textcite', '\\citet'],
  ['\\autocite', '\\citep'],
  ['\\footcite', '\\footnote{\\citet{…}}'],
  ['\\addbibresource', '\\bibliography{…} where the list of references should be'],
  ['\\printbibliography', '\\bibliographystyle{plainnat} and \\bibliography{…}'],
])

/** Commands that authors copy from templates of journals. */
const REVTEX_COMMANDS: ReadonlySet<string> = new Set([
  '\\affiliation',
  '\\preprint',
  '\\onlinecite',
  '\\altaffiliation',
])

/** Commands of the package algorithmic → commands of algpseudocode, which people mix up. */
const ALGORITHM_COMMANDS: ReadonlyMap<string, string> = new Map(
  ['State', 'If', 'ElsIf', 'Else', 'EndIf', 'For', 'EndFor', 'While', 'EndWhile', 'Repeat', 'Until', 'Return'].flatMap(
    (name): [string, string][] => [
      [`\\${name.toUpperCase()}`, `\\${name}`],
      [`\\${name}`, `\\${name.toUpperCase()}`],
    ],
  ),
)

/** algorithm2e has no environment for the lines of an algorithm. */
function explainAlgorithmic(name: string, packages: ReadonlySet<string>): string | null {
  if (name !== 'algorithmic' || !packages.has('algorithm2e')) return null
  return 'It belongs to algpseudocode, but the document loads algorithm2e. Load algorithm and algpseudocode instead, or use the commands of algorithm2e.'
}

function undefinedEnvironment({ match, knowledge }: Finding): Explanation {
  const name = match[1] ?? ''
  const known = [...knowledge.environments, ...latexEnvironments, ...listLoaded(packageOfEnvironment, knowledge)]
  const meant = closest(name, new Set(known))
  return {
    summary: `The environment "${name}" is not defined.`,
    remedy: explainAlgorithmic(name, knowledge.packages) ?? remedyOfEnvironment(name, meant, knowledge.packages),
  }
}

/** Environments that articles define with \newtheorem. */
const THEOREMS: ReadonlySet<string> = new Set(
  'theorem lemma proposition corollary definition remark example conjecture claim exercise'.split(' '),
)

/** `packages`: those that the sources load. */
function remedyOfEnvironment(name: string, meant: string | null, packages: ReadonlySet<string>): string {
  const owner = packageOfEnvironment.get(name)
  if (owner !== undefined) return remedyOfOwner(name, owner, packages)
  if (THEOREMS.has(name)) {
    const title = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
    return `Define it in the preamble: \\newtheorem{${name}}{${title}}.`
  }
  return meant === null ? 'Load the package that provides it, or define it.' : `Did you mean ${meant}?`
}

/** `owner`: the package that defines the environment. */
function remedyOfOwner(name: string, owner: string, packages: ReadonlySet<string>): string {
  const library = plotLibraryOfEnvironment.get(name)
  const isLoaded = packages.has(owner)
  if (library !== undefined)
    return isLoaded
      ? `Load its library after pgfplots: \\usepgfplotslibrary{${library}}. It works only in a tikzpicture.`
      : `Load its package and library: \\usepackage{pgfplots} and \\usepgfplotslibrary{${library}}.`
  if (owner === 'subcaption' && packages.has('subfig'))
    return 'It belongs to subcaption, which cannot be used with subfig. Write \\subfloat[…]{…}, or load subcaption instead.'
  if (isLoaded && owner === 'pgfplots') return 'Put it between \\begin{tikzpicture} and \\end{tikzpicture}.'
  // Another file of the project may load it.
  if (isLoaded) return `Check that the preamble of this document loads its package ${owner}.`
  return `Load its package: \\usepackage{${owner}}.`
}

function missingPackage({ match, knowledge }: Finding): Explanation {
  const [, name = '', kind] = match
  const elsewhere = explainSubmodule(`${name}.${kind ?? 'sty'}`, knowledge.submodules)
  if (elsewhere !== null) return elsewhere
  const own = explainOwnPackage(`${name}.${kind ?? 'sty'}`, knowledge.files)
  if (own !== null) return own
  if (name === 'Sweave')
    return {
      summary: 'The package "Sweave" is not installed: it comes with R.',
      remedy: 'Copy Sweave.sty from the folder share/texmf/tex/latex of R to the project.',
    }
  const theme = /^beamer(?:color|font|inner|outer)?theme(.+)/.exec(name)?.[1]
  if (theme !== undefined)
    return {
      summary: `The beamer theme "${theme}" is not installed.`,
      remedy: suggestName(theme, beamerThemes) ?? `Check its name, or add ${name}.sty to the project.`,
    }
  const [, part, style] = /^moderncv(style|color)(.+)/.exec(name) ?? []
  if (part !== undefined)
    return {
      summary: `The class moderncv has no ${part} "${style ?? ''}".`,
      remedy:
        part === 'color'
          ? 'Its colors are blue, black, burgundy, green, grey, orange, purple and red.'
          : 'Its styles are classic, casual, banking, oldstyle and fancy.',
    }
  const noun = kind === 'cls' ? 'document class' : 'package'
  const known =
    kind === 'cls' ? classNames : [...packageNames, ...packageOfCommand.values(), ...packageOfEnvironment.values()]
  return {
    summary: `The ${noun} "${name}" is not installed.`,
    remedy: suggestName(name, known) ?? `Check the name, or add ${name}.${kind ?? 'sty'} to the project.`,
  }
}

/** A sentence that suggests the same name in another case, or one with a small difference. */
function suggestName(name: string, known: readonly string[]): string | null {
  const sameButCase = known.find((one) => one !== name && one.toLowerCase() === name.toLowerCase())
  if (sameButCase !== undefined) return `Did you mean ${sameButCase}? Upper and lower case matter.`
  const meant = closest(name, new Set(known))
  return meant === null ? null : `Did you mean ${meant}?`
}

function missingFile({ match, knowledge }: Finding): Explanation {
  // listings shows the extension that it would add in parentheses; pdfTeX misses the PDF that an EPS image becomes.
  const name = (match.slice(1).find((group) => group !== undefined) ?? '')
    .replace(/\((\.\w+)\)$/, '$1')
    .replace(/-eps-converted-to\.pdf$/, '.eps')
  if (knowledge.lfsPointers.has(name)) return explainLfsPointer(name)
  if (knowledge.files.has(name))
    return {
      summary: `The file "${name}" could not be read.`,
      remedy: 'It is damaged, or is not in the format of its extension: export it again.',
    }
  const elsewhere = explainSubmodule(name, knowledge.submodules)
  if (elsewhere !== null) return elsewhere
  const isOfKnitr = /^figures?\//.test(name) && [...knowledge.files].some((path) => /\.Rnw$/i.test(path))
  if (isOfKnitr && suggestFile(name, knowledge.files) === null)
    return {
      summary: `The file "${name}" was not found.`,
      remedy: 'If knitr creates it, run knitr on your computer and add the folder of figures to the project.',
    }
  return {
    summary: `The file "${name}" was not found.`,
    remedy:
      suggestImage(name, knowledge.files) ??
      suggestFile(name, knowledge.files) ??
      'Add it to the project, or check its name and folder.',
  }
}

/** Images that no engine includes. */
const UNSUPPORTED_IMAGE = /\.(?:avif|bmp|gif|heic|svg|tiff?|webp)$/i

/** A sentence that asks to convert an image, if the project has it only in a format that is not supported. */
function suggestImage(name: string, files: ReadonlySet<string>): string | null {
  const wanted = `/${name.replace(/\.(?:pdf|png|jpe?g|eps)$/i, '')}`
  const found = [...files].find((path) => {
    return UNSUPPORTED_IMAGE.test(path) && `/${path.replace(UNSUPPORTED_IMAGE, '')}`.endsWith(wanted)
  })
  if (found === undefined) return null
  const supported = new Set([...files].filter((path) => !UNSUPPORTED_IMAGE.test(path)))
  return suggestFile(name, supported) ?? `Convert ${found} to PDF, PNG or JPEG: this format is not supported.`
}
