import { expressibleTime } from '../../../domain/text/expressible-time.ts'

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/** `3 March 2026`, in UTC. Without `Intl`, which takes 10 ms to load. */
export function formatDate(at: number): string {
  const date = new Date(expressibleTime(at))
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`
}
