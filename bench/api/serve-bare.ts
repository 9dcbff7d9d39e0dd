import { createServer } from 'node:http'
import { createInterface } from 'node:readline'

// A minimal Node.js server: reads the header of the token, sends fixed bytes. Reads the responses as one line of JSON,
// then prints its port.

const lines = createInterface({ input: process.stdin })
lines.once('line', (line) => {
  const given: unknown = JSON.parse(line)
  const bodies = new Map<string, string>()
  if (Array.isArray(given)) for (const { path, body } of given) bodies.set(String(path), String(body))
  const server = createServer((request, response) => {
    const isGood = /^(?:token|bearer) +(\S+)$/i.test(request.headers.authorization ?? '')
    const body = bodies.get(request.url ?? '')
    if (!isGood || body === undefined) {
      response.writeHead(404)
      response.end()
      return
    }
    response.writeHead(200, [
      'Content-Type',
      'application/json; charset=utf-8',
      'X-Service-Media-Type',
      'service.v3; format=json',
      'X-Service-Request-Id',
      '00000000-0000-0000-0000-000000000000',
      'Content-Length',
      String(Buffer.byteLength(body)),
    ])
    response.end(body)
  })
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    console.log(typeof address === 'object' && address !== null ? address.port : 0)
  })
})
