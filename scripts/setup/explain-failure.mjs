// npm and apt fail in a handful of ways that a person can do something about; these are the words for them.

const explanations = [
  {
    sign: /ENOSPC|No space left on device|don't have enough free space/i,
    words:
      'The disk is full. All of TeX needs 6 GB while it is installed, the packages of the project 500 MB: free some space, then run the same command again.',
  },
  {
    sign: /EROFS|Read-only file system/i,
    words: 'The checkout (or the system) is on a read-only file system. Clone it to a folder that you may write to.',
  },
  {
    sign: /ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ECONNRESET|ENETUNREACH|Temporary failure resolving|Could not resolve|Could not connect|Failed to fetch|Unable to connect|Connection timed out/i,
    words:
      'The package server cannot be reached. Check the network (and http_proxy/https_proxy), then run the same command again.',
  },
  {
    sign: /Could not get lock|Unable to acquire the dpkg frontend lock|Unable to lock directory/i,
    words: 'Another package manager is at work. Wait until it has finished, then run the same command again.',
  },
  {
    sign: /EACCES|EPERM|permission denied/i,
    words: 'You may not write here. Run the command as the owner of the checkout, or clone it to a folder of your own.',
  },
]

/**
 * What went wrong and what to do, or the end of the output where nobody knows.
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
