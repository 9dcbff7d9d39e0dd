/** A progress line on a terminal. */
export interface StepLine {
  show(text: string): void
  /** Removes the line. */
  end(): void
}

const redrawMs = 100

/** On a terminal, one line that is rewritten; elsewhere nothing, because logs need only the outcome. */
export function openStepLine(): StepLine {
  if (!process.stderr.isTTY) return { show: () => {}, end: () => {} }
  let drawnAt = 0
  return {
    show(text) {
      if (performance.now() - drawnAt < redrawMs) return
      drawnAt = performance.now()
      process.stderr.write(`\r\u001b[2K${text}`)
    },
    end: () => void process.stderr.write('\r\u001b[2K'),
  }
}
