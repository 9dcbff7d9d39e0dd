/** A pattern for `lower(column) like … escape '\'`, or a column of keys, that matches a literal text anywhere. */
export function likePattern(text: string): string {
  return `%${text.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}
