import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/**
 * Runs a program and returns the end of its output, both streams together.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ env?: Record<string, string | undefined>, onLine?: (line: string) => void, statusFd?: boolean }} [options]
 *   `statusFd` opens file descriptor 3, whose lines go to `onLine` instead of the lines of the output.
 * @returns {Promise<{ exitCode: number, output: string }>} `exitCode` is 127 if the program cannot be started.
 */
export function runProgram(program, args, options = {}) {
  return new Promise((resolve) => {
    const stdio = ['ignore', 'pipe', 'pipe', ...(options.statusFd ? ['pipe'] : [])]
    const child = spawn(program, args, { stdio, env: { ...process.env, ...options.env } })
    let output = ''
    const keep = (chunk) => {
      output = (output + chunk).slice(-64_000)
    }
    child.stdout.setEncoding('utf8').on('data', keep)
    child.stderr.setEncoding('utf8').on('data', keep)
    if (options.onLine)
      createInterface({ input: options.statusFd ? child.stdio[3] : child.stdout }).on('line', options.onLine)
    child.on('error', (error) => resolve({ exitCode: 127, output: error.message }))
    child.on('close', (exitCode) => resolve({ exitCode: exitCode ?? 1, output }))
  })
}
