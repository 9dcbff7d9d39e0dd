/** A grammar rule of the highlighter. */
interface Rule {
  readonly className?: string
  readonly begin: RegExp | readonly RegExp[]
  readonly beginScope?: Readonly<Record<number, string>>
  readonly end?: RegExp
  readonly contains?: readonly (Rule | 'self')[]
}

const braced: Rule = { className: 'string', begin: /\{/, end: /\}/, contains: [{ begin: /\\[{}]/ }, 'self'] }
const quoted: Rule = { className: 'string', begin: /"/, end: /"/, contains: [{ begin: /\{"\}|\\"/ }] }
const field: Rule = { begin: [/[\w:-]+/, /\s*=\s*/], beginScope: { 1: 'attr' } }
const number: Rule = { className: 'number', begin: /\b\d+\b/ }
const free: Rule = { className: 'comment', begin: /@comment\b/i, end: /$/ }
const entry: Rule = {
  begin: [/@\w+/, /\s*[{(]\s*/, /[^\s,"={}()]*/],
  beginScope: { 1: 'keyword', 3: 'title' },
  end: /^[})]|[})]\s*$/,
  contains: [field, braced, quoted, number],
}

/** The highlighter's grammar of BibTeX databases: entries with their keys, fields, quoted and braced values. */
export function bibtex(): { readonly name: string; readonly case_insensitive: boolean; readonly contains: Rule[] } {
  return { name: 'BibTeX', case_insensitive: true, contains: [free, entry] }
}
