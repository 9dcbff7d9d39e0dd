/** Names of babel and polyglossia → languages of xindy, as in makeglossaries. */
const LANGUAGES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    dutch: 'nederlands',
    english: 'american australian british canadian newzealand UKenglish USenglish',
    french: 'acadian canadien francais frenchb',
    german: 'austrian germanb naustrian ngerman ngermanb nswissgerman swissgerman',
    hungarian: 'magyar',
    'lower-sorbian': 'lowersorbian lsorbian',
    norwegian: 'norsk nynorsk',
    portuguese: 'brazil brazilian portuges',
    russian: 'russianb',
    slovenian: 'slovene',
    ukrainian: 'ukraineb',
    'upper-sorbian': 'uppersorbian usorbian',
  }).flatMap(([language, names]) => names.split(' ').map((name): [string, string] => [name, language])),
)

/** Languages that xindy supports only in variants; the most common one. */
const VARIANTS: ReadonlyMap<string, string> = new Map([
  ['dutch', 'ij-as-ij'],
  ['german', 'din5007'],
  ['gypsy', 'northrussian'],
])

/** The switches of xindy for a language and a code page that glossaries wrote to the `.aux`. */
export function xindyLanguage(name: string, codePage: string): readonly string[] {
  const language = LANGUAGES.get(name) ?? name
  const variant = VARIANTS.get(language)
  const isPlain = /^(?:utf8|latin\d+|cp\d+)$/.test(codePage)
  return ['-L', language, '-C', variant !== undefined && isPlain ? `${variant}-${codePage}` : codePage]
}
