/** A pattern for `lower(column) like … escape '\'` that fits wherever the text stands, its own signs taken as they are. */
export function likePattern(text: string): string {
  return `%${text.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}
