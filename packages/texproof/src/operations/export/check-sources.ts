/** Preflight checks of the sources of a package. */
import { lineAt, splitSource } from './split-source.ts'
import type { Finding } from './types.ts'

const FILE_COMMAND =
  /(?<!\\)\\(?:input|include|includegraphics|includepdf|bibliography|addbibresource|graphicspath|lstinputlisting|verbatiminput|import|subfile)\*?\s{0,9}(?:\[[^\]]{0,2000}\]\s{0,9})?\{{1,2}\s{0,9}((?:\/|~\/|[A-Za-z]:[\\/])[^{}]{0,400})\}/g
const TODAY = /(?<!\\)\\today\b/g
const PICTURE = /(?<!\\)\\includegraphics\*?\s{0,9}(?:\[([^\]]{0,2000})\])?\s{0,9}\{([^{}]{1,400})\}/g
/** Findings of one kind in one file; more of them have the same remedy. */
const MAX_FINDINGS = 20

/** Finds places that work here and fail or change elsewhere. */
export function checkSource(
  file: string,
  source: string,
  verbatimEnvironments: ReadonlySet<string>,
): readonly Finding[] {
  const code = splitSource(source, verbatimEnvironments).filter(({ kind }) => kind === 'code')
  const find = (pattern: RegExp, describe: (match: RegExpExecArray) => Omit<Finding, 'file' | 'line'> | null) =>
    code
      .flatMap(({ text, start }) => [...text.matchAll(pattern)].map((match) => ({ match, at: start + match.index })))
      .flatMap(({ match, at }) => {
        const found = describe(match)
        return found === null ? [] : [{ ...found, file, at }]
      })
      .slice(0, MAX_FINDINGS)
      .map(({ at, ...found }): Finding => ({ ...found, line: lineAt(source, at) }))
  return [
    ...find(FILE_COMMAND, ([, path = '']) => ({
      level: 'error',
      message: `Absolute path ${path}`,
      remedy: 'Move the file into the repository and use a relative path.',
    })),
    ...find(TODAY, () => ({
      level: 'warning',
      message: '\\today prints the date of each build',
      remedy: 'Write the date of this version.',
    })),
    ...find(PICTURE, ([, options = '', path = '']) =>
      /(?:^|,)\s*alt\s*=/.test(options)
        ? null
        : {
            level: 'notice',
            message: `No alternative text for ${path}`,
            remedy: 'Describe the picture for readers who cannot see it: \\includegraphics[alt={…}]{…}',
          },
    ),
  ]
}
