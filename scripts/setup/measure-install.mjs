import { statSync, statfsSync } from 'node:fs'

import { runProgram } from './run-program.mjs'

/** apt downloads to this folder; packages are unpacked below /usr. */
const cacheFolder = '/var/cache/apt'
const programFolder = '/usr'
/** Formats, file lists and font caches that packages generate when they are configured. */
const generatedBytes = 300e6
const units = { B: 1, kB: 1e3, MB: 1e6, GB: 1e9 }

/**
 * The sizes of an installation, from a dry run of apt; null if it does not print them.
 *
 * @param {readonly string[]} install Arguments of apt-get.
 * @returns {Promise<{ downloadBytes: number, diskBytes: number } | null>}
 */
export async function measureInstall(install) {
  const options = ['-o', 'Debug::NoLocking=1', '--assume-no']
  const { output } = await runProgram('apt-get', [...options, ...install], { env: { LC_ALL: 'C' } })
  return parseSizes(output)
}

/**
 * `Need to get 1,928 MB/2,000 MB of archives.` and `After this operation, 4621 MB of additional disk space will be used.`
 *
 * @param {string} output
 */
export function parseSizes(output) {
  const download = /^Need to get ([\d.,]+) (\w+)/m.exec(output)
  const disk = /^After this operation, ([\d.,]+) (\w+) of additional disk space/m.exec(output)
  if (download === null && disk === null) return null
  return { downloadBytes: toBytes(download), diskBytes: toBytes(disk) }
}

function toBytes(match) {
  if (match === null) return 0
  return Math.round(Number(match[1].replaceAll(',', '')) * (units[match[2]] ?? 1))
}

/**
 * The folder that lacks disk space, as a message; null if there is enough.
 *
 * @param {{ downloadBytes: number, diskBytes: number }} sizes
 */
export function findLackOfSpace({ downloadBytes, diskBytes }) {
  const isOneDisk = statSync(cacheFolder).dev === statSync(programFolder).dev
  const needs = isOneDisk
    ? [[programFolder, downloadBytes + diskBytes + generatedBytes]]
    : [
        [programFolder, diskBytes + generatedBytes],
        [cacheFolder, downloadBytes],
      ]
  for (const [folder, bytes] of needs) {
    const { bavail, bsize } = statfsSync(folder)
    const freeBytes = bavail * bsize
    if (freeBytes < bytes) return `${folder} needs ${formatBytes(bytes)} and has ${formatBytes(freeBytes)} free`
  }
  return null
}

/** @param {number} bytes */
export function formatBytes(bytes) {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.ceil(bytes / 1e6)} MB`
}
