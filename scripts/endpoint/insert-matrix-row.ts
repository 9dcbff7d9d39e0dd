/** A row that is wanted. */
export interface WantedRow {
  /** Method and path as in the route table. */
  readonly endpoint: string
  readonly isList: boolean
}

/** The text of the matrix with one more row at its end, planned and with everything still to say. */
export function insertMatrixRow(source: string, { endpoint, isList }: WantedRow): string {
  const end = source.indexOf('\n]\n', source.indexOf('export const matrix:'))
  if (end === -1) throw new Error('the matrix has no end: "]" in a line of its own')
  return `${source.slice(0, end + 1)}${renderRow(endpoint, isList)}${source.slice(end + 1)}`
}

function renderRow(endpoint: string, isList: boolean): string {
  const refusals = /\{/.test(endpoint) ? '[404]' : endpoint.startsWith('POST') ? '[422]' : '[]'
  return `  {
    endpoint: '${endpoint}',
    state: 'planned',
    summary: 'Planned',
    query: ${isList ? 'paging' : '[]'},
    answer: null,
    isList: ${isList},
    refusals: ${refusals},
    differences: [],
    sample: () => ${isList ? '[]' : '({})'},
  },
`
}
