/** Whether `gh` can reach a host: it accepts neither plain HTTP nor a port. */
export function acceptsGitHubCli(baseUrl: string): boolean {
  const { protocol, port } = new URL(baseUrl)
  return protocol === 'https:' && port === ''
}
