import { spawnSync } from 'node:child_process'

/**
 * The dpkg states of packages: `installed`, or the state after an interrupted installation (`unpacked`,
 * `half-configured`, `half-installed`, `triggers-pending` …). Absent = unknown to dpkg, or no dpkg.
 *
 * @param {readonly string[]} names
 * @param {readonly string[]} [options] Options of dpkg-query that select another database.
 * @returns {ReadonlyMap<string, string>}
 */
export function readPackageStates(names, options = []) {
  const format = '--showformat=${Package} ${db:Status-Status}\\n'
  const { stdout } = spawnSync('dpkg-query', [...options, '--show', format, ...names], { encoding: 'utf8' })
  const rows = (stdout ?? '').split('\n').flatMap((line) => {
    const [name, state] = line.split(' ')
    return state === undefined ? [] : [[name, state]]
  })
  return new Map(rows)
}

/**
 * True if the installation was interrupted: the files exist, but the package does not work.
 *
 * @param {string | undefined} state
 */
export function isInterrupted(state) {
  return state !== undefined && !['installed', 'not-installed', 'config-files'].includes(state)
}
