// Explanations for the failures of npm and apt that users can fix.

const explanations = [
  {
    sign: /ENOSPC|No space left on device|don't have enough free space/i,
    words:
      'The disk is full. The full TeX Live requires 6 GB during installation, the npm packages 500 MB. Free some space, then run the same command again.',
  },
  {
    sign: /EROFS|Read-only file system/i,
    words: 'The checkout (or the system) is on a read-only file system. Clone it to a writable folder.',
  },
  {
    sign: /ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ECONNRESET|ENETUNREACH|Temporary failure resolving|Could not resolve|Could not connect|Failed to fetch|Unable to connect|Connection timed out/i,
    words:
      'The package server is unreachable. Check the network and the proxy settings (http_proxy, https_proxy), then run the same command again.',
  },
  {
    sign: /Could not get lock|Unable to acquire the dpkg frontend lock|Unable to lock directory/i,
    words: 'Another package manager is running. Wait until it has finished, then run the same command again.',
  },
  {
    sign: /EACCES|EPERM|permission denied/i,
    words: 'Permission denied. Run the command as the owner of the checkout, or clone it to your own folder.',
  },
]

/**
 * Explains a known failure and how to fix it; otherwise returns the end of the output.
 *
 * @param {string} output
 */
export function explainFailure(output) {
  const known = explanations.find((explanation) => explanation.sign.test(output))
  const tail = output.trim().split('\n').slice(-8)
  return known ? `${known.words}\n${indent(tail.slice(-3))}` : indent(tail)
}

function indent(lines) {
  return lines.map((line) => `      ${line}`).join('\n')
}
