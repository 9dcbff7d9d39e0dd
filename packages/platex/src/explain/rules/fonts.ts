/** Fonts of fontspec and polyglossia. */
import { closest } from '../closest.ts'
import { suggestFile } from '../suggest-file.ts'
import type { Rule } from '../types.ts'

export const FONT_RULES: readonly Rule[] = [
  [
    'missing-font',
    /^Package fontspec Error: The font "(.+?)" cannot be found/,
    ({ match, context, knowledge }) => {
      const name = match[1] ?? ''
      // fontspec prints the name of a file without its extension, and its folder below.
      const files = [...knowledge.files].filter((path) => /\.(?:otf|ttf|ttc|woff2?)$/i.test(path))
      const own = files.find((path) => stemOf(path) === name)
      if (own !== undefined && !context.includes('not installed'))
        return {
          summary: `The font ${own} could not be read.`,
          remedy: 'It is damaged, is not a font, or is not in the folder set by Path=…. Download it again.',
        }
      const isInFolder = /\bPath\s*=/.test(context)
      const summary = `The font "${name}" ${isInFolder ? 'is not in the folder set by Path=…' : 'is not installed'}.`
      const meant = files.find((path) => stemOf(path).toLowerCase() === name.toLowerCase())
      if (meant !== undefined) return { summary, remedy: `The file is called ${meant}: upper and lower case matter.` }
      const near = closest(name, new Set(files.map(stemOf)))
      const addition = isInFolder
        ? 'Add its file to that folder, or check its name.'
        : 'Add its file to the project, or choose another font.'
      const suggested =
        near === null
          ? suggestFile(name, new Set(files))
          : `Did you mean ${files.find((path) => stemOf(path) === near) ?? near}?`
      return { summary, remedy: suggested ?? addition }
    },
  ],
  [
    'missing-font',
    /^Package polyglossia Error: The current (\S+ \S+) font does not contain the "(.+?)" script! Please define (\\\w+)/,
    ({ match }) => ({
      summary: `The ${match[1] ?? ''} font does not support the script ${match[2] ?? ''}.`,
      remedy: `Choose a font that has them: \\newfontfamily${match[3] ?? ''}[Script=${match[2] ?? ''}]{…}.`,
    }),
  ],
  [
    'unknown-option',
    /Key '(?:\S*\/)?([^'/]+)' accepts only a fixed set of choices/,
    ({ match }) => ({
      summary: `The option ${match[1] ?? ''} does not have this value.`,
      remedy: 'Check its values in the documentation of the package.',
    }),
  ],
]

function stemOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '')
}
