// Progress messages: one line that is rewritten on a terminal, a line every few seconds elsewhere.

const isTerminal = process.stderr.isTTY === true
const quietBetweenLinesMs = 4_000

/** Prints a permanent line. */
export function say(line = '') {
  process.stderr.write(`${line}\n`)
}

/**
 * Shows the progress of a long step, updated every second with the elapsed time.
 *
 * @param {string} title
 */
export function startProgress(title) {
  const startedAt = Date.now()
  let detail = ''
  let lastLineAt = 0
  const elapsed = () => `${((Date.now() - startedAt) / 1000).toFixed(0).padStart(4)} s`
  const show = () => {
    if (isTerminal) {
      const width = (process.stderr.columns ?? 80) - 1
      process.stderr.write(
        `\r\u001b[2K${`${elapsed()}  ${title}${detail === '' ? '' : `: ${detail}`}`.slice(0, width)}`,
      )
    } else if (Date.now() - lastLineAt >= quietBetweenLinesMs) {
      say(`${elapsed()}  ${title}${detail === '' ? '' : `: ${detail}`}`)
      lastLineAt = Date.now()
    }
  }
  show()
  const timer = setInterval(show, 1_000)
  return {
    /** @param {string} next */
    update(next) {
      detail = next
      show()
    },
    /** @param {string} outcome */
    end(outcome) {
      clearInterval(timer)
      if (isTerminal) process.stderr.write('\r\u001b[2K')
      say(`${elapsed()}  ${title}: ${outcome}`)
    },
  }
}
