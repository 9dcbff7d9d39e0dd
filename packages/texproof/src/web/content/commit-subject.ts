/** The characters of a first line that stand in a list or a heading; what goes on is told where the commit is shown. */
const BEGINNING = /^[^]{0,160}/u

/** The first line of a message as lists show it: cut where it would be a page, and never nothing. */
export function commitSubject(message: string): string {
  const line = firstLine(message)
  if (line === '') return 'no message'
  const [beginning = ''] = BEGINNING.exec(line) ?? []
  return beginning === line ? line : `${beginning.trimEnd()} …`
}

/** What a page about the commit tells below its heading: the whole message if the heading had to cut, else the rest. */
export function messageBody(message: string): string {
  const line = firstLine(message)
  const isWhole = line === '' || commitSubject(message) === line
  return (isWhole ? message.slice(line.length) : message).trim()
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0] ?? ''
}
