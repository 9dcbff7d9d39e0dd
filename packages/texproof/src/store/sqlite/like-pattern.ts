/** A pattern for `lower(column) like … escape '\'` that matches a literal text anywhere. */
export function likePattern(text: string): string {
  return `%${text.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}
