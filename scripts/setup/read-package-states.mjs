import { spawnSync } from 'node:child_process'

/**
 * What dpkg knows of packages: `installed`, or where an interrupted installation left one (`unpacked`,
 * `half-configured`, `half-installed`, `triggers-pending` …). Absent = not known to dpkg, or there is no dpkg.
 *
 * @param {readonly string[]} names
 * @param {readonly string[]} [options] Of dpkg-query, for a database other than the system's.
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
 * True for what an interrupted installation left behind: there are files, and nothing that works.
 *
 * @param {string | undefined} state
 */
export function isInterrupted(state) {
  return state !== undefined && !['installed', 'not-installed', 'config-files'].includes(state)
}
