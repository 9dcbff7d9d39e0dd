/**
 * What the handler of an endpoint is called, in the way of those that are there: `listBranches`, `getBranch`,
 * `listUserRepositories`, `createOwnRepository`. The repository that an address begins with goes without saying.
 */
export function nameHandler(method: string, path: string): string {
  const subject = path
    .replace(/^\/repos\/\{\w+\}\/\{\w+\}(?=\/)/, '')
    .replace(/^\/user(?=\/)/, '/own')
    .replace(/^\/users\/\{\w+\}(?=\/)/, '/user')
  const parts = subject.slice(1).split('/')
  const words = parts.flatMap((part, index) => {
    if (part.startsWith('{')) return []
    const namesOne = parts[index + 1]?.startsWith('{') === true || (index < parts.length - 1 && isPlural(part))
    const word = namesOne || (method === 'POST' && index === parts.length - 1) ? singularOf(part) : part
    return word.split(/[-_.]/).filter((piece) => piece !== '')
  })
  const verb = method === 'POST' ? 'create' : isPlural(parts.at(-1) ?? '') ? 'list' : 'get'
  return [verb, ...words.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('')
}

function isPlural(word: string): boolean {
  return /[^s]s$/.test(word) && !word.endsWith('us')
}

function singularOf(word: string): string {
  if (!isPlural(word)) return word
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return word.replace(/(?<=ch|sh|ss|us|x)es$|s$/, '')
}
