/** Maximum length of a first line in a list or a heading; the page of the commit shows the rest. */
const BEGINNING = /^[^]{0,160}/u

/** The first line of a message for lists: bounded and never empty. */
export function commitSubject(message: string): string {
  const line = firstLine(message)
  if (line === '') return 'no message'
  const [beginning = ''] = BEGINNING.exec(line) ?? []
  return beginning === line ? line : `${beginning.trimEnd()} …`
}

/** The text below the heading of a commit: the whole message if the heading is cut, otherwise the rest. */
export function messageBody(message: string): string {
  const line = firstLine(message)
  const isWhole = line === '' || commitSubject(message) === line
  return (isWhole ? message.slice(line.length) : message).trim()
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0] ?? ''
}
