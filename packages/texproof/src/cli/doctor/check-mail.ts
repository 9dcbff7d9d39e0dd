import type { Config } from '../../config/read-config.ts'
import { openTransport } from '../../mail/open-transport.ts'
import type { Finding } from './finding.ts'

/** Checks that the mail server accepts the login, without sending an email. */
export async function checkMail({ smtp }: Pick<Config, 'smtp'>): Promise<Finding[]> {
  if (smtp === null) return []
  const server = `${smtp.host}:${smtp.port}`
  const transport = await openTransport(smtp)
  try {
    await transport.verify()
    return [{ check: 'mail', state: 'good', message: `sends through ${server} as ${smtp.from}`, remedy: null }]
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const message = `cannot connect to mail server ${server}: ${reason}`
    return [{ check: 'mail', state: 'broken', message, remedy: 'Check host, port, user and password in smtp.url.' }]
  } finally {
    transport.close()
  }
}
