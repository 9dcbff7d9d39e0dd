/**
 * `npm run test:corpus [-- NAME …]`: our own documents, then published ones.
 *
 * `--own` and `--published` run one of the two; `--write` and `--measure` record expectations, see the two scripts.
 */
import { runOwn } from './run-own.ts'
import { runPublished } from './published/run-published.ts'

const words = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const has = (flag: string): boolean => process.argv.includes(flag)
const isOwnGood = has('--published') || (await runOwn(words, has('--write')))
const isPublishedGood = has('--own') || (await runPublished(words, has('--measure')))
process.exitCode = isOwnGood && isPublishedGood ? 0 : 1
