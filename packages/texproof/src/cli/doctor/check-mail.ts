import type { Config } from '../../config/read-config.ts'
import { openTransport } from '../../mail/open-transport.ts'
import type { Finding } from './finding.ts'

/** Does the mail server let this host in? Nothing is sent. */
export async function checkMail({ smtp }: Pick<Config, 'smtp'>): Promise<Finding[]> {
  if (smtp === null) return []
  const server = `${smtp.host}:${smtp.port}`
  const transport = await openTransport(smtp)
  try {
    await transport.verify()
    return [{ check: 'mail', state: 'good', message: `letters go out by ${server}, from ${smtp.from}`, remedy: null }]
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const message = `the mail server ${server} lets nobody in: ${reason}`
    return [{ check: 'mail', state: 'broken', message, remedy: 'Look at smtp.url: name, port, user and password.' }]
  } finally {
    transport.close()
  }
}
