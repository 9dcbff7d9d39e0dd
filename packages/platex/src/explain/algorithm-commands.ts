/** Three packages for algorithms have similar commands, which authors mix up when they copy an example. */
import { readUpperLine } from './read-upper-line.ts'

interface Family {
  readonly name: string
  /** Packages that define the commands. */
  readonly packages: readonly string[]
  readonly commands: readonly string[]
}

const FAMILIES: readonly Family[] = [
  {
    name: 'algorithm2e',
    packages: ['algorithm2e'],
    commands:
      'If uIf lIf eIf ElseIf uElseIf Else uElse For lFor ForEach ForAll While lWhile Repeat Return KwData KwResult KwIn KwOut KwRet KwTo Switch Case Begin tcp tcc DontPrintSemicolon SetAlgoLined SetKwInOut SetKwFunction'.split(
        ' ',
      ),
  },
  {
    name: 'algpseudocode',
    packages: ['algpseudocode', 'algorithmicx'],
    commands:
      'State Statex If ElsIf Else EndIf For ForAll EndFor While EndWhile Repeat Until Loop EndLoop Return Require Ensure Procedure EndProcedure Function EndFunction Call Comment'.split(
        ' ',
      ),
  },
  {
    name: 'algorithmic',
    packages: ['algorithmic', 'algcompatible'],
    commands:
      'STATE IF ELSIF ELSE ENDIF FOR FORALL ENDFOR WHILE ENDWHILE REPEAT UNTIL LOOP ENDLOOP RETURN REQUIRE ENSURE COMMENT PRINT'.split(
        ' ',
      ),
  },
]

/** Commands of algorithm2e and what the other packages have instead. */
const EQUIVALENTS: Readonly<Record<string, string>> = {
  eif: 'if',
  uif: 'if',
  lif: 'if',
  elseif: 'elsif',
  uelseif: 'elsif',
  uelse: 'else',
  lfor: 'for',
  foreach: 'forall',
  lwhile: 'while',
  kwdata: 'require',
  kwresult: 'ensure',
  kwin: 'require',
  kwout: 'ensure',
  kwret: 'return',
  tcp: 'comment',
  tcc: 'comment',
}

/** Whether a command belongs to one of the packages for algorithms. */
export function isAlgorithmCommand(name: string): boolean {
  return FAMILIES.some(({ commands }) => commands.includes(name.slice(1)))
}

/** The command of an algorithm at which TeX stopped in text, where it is not an item of a list; null if it is another mistake. */
export function findCommandOutside(message: string, context: string): string | null {
  if (!/^(?:LaTeX Error: Lonely \\item|Missing \\endcsname)/.test(message)) return null
  const command = /\\[A-Za-z]+$/.exec(readUpperLine(context)?.trimEnd() ?? '')?.[0]
  return command !== undefined && isAlgorithmCommand(command) ? command : null
}

/** How to replace a command of another package for algorithms, or one in the wrong case; null if it is neither. */
export function explainAlgorithmCommand(name: string, packages: ReadonlySet<string>): string | null {
  const loaded = FAMILIES.find((family) => family.packages.some((one) => packages.has(one)))
  if (loaded === undefined) return null
  const written = name.slice(1)
  const sameName = findCommand(loaded, written)
  if (sameName !== undefined) return `Did you mean \\${sameName}?`
  const owner = FAMILIES.find((family) => findCommand(family, written) !== undefined)
  if (owner === undefined) return null
  const start = `${name} belongs to the package ${owner.name}, but the document loads ${loaded.name}.`
  if (loaded.name === 'algorithm2e')
    return `${start} There, lines end with \\; and blocks are in braces: \\If{condition}{block}.`
  const equivalent = findCommand(loaded, EQUIVALENTS[written.toLowerCase()] ?? '')
  return equivalent === undefined
    ? `${start} Load one of the two, and use its commands.`
    : `${start} Write \\${equivalent}.`
}

function findCommand({ commands }: Family, written: string): string | undefined {
  return commands.find((command) => command.toLowerCase() === written.toLowerCase())
}
