/**
 * One line of a CSV file (RFC 4180), with its line end. A cell that a spreadsheet would take for a formula gets an
 * apostrophe before it: what people typed must not run on the desk of whoever opens the file.
 *
 * Source: OWASP, CSV injection.
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(text: string): string {
  // Some spreadsheets look past blanks at the beginning.
  const defused = /^\s*[=+\-@]|^[\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(defused) ? `"${defused.replaceAll('"', '""')}"` : defused
}
