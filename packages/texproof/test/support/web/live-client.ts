import { once } from 'node:events'

import { WebSocket } from 'ws'
import * as Y from 'yjs'

import { eventually } from '../../../../platex/test/support/eventually.ts'
import type { WebClient } from './web-client.ts'

/** The shared text of an opened page, without the editor. */
export interface LiveClient {
  readonly doc: Y.Doc
  readonly text: Y.Text
  readonly socket: WebSocket
  /** Messages of the server, parsed. */
  readonly messages: readonly Readonly<Record<string, unknown>>[]
  /** Resolves when the server has stored all changes. */
  whenStored(): Promise<void>
  /** The code with which the server closes the connection. */
  readonly closed: Promise<number>
  close(): Promise<void>
}

/** A page of the editor. */
export interface LivePage {
  /** Address of the connection. */
  readonly address: string
  readonly epoch: string
  readonly state: Uint8Array
}

/** Opens the page of a file. */
export async function openLivePage(client: Pick<WebClient, 'get'>, path: string): Promise<LivePage> {
  const { text } = await client.get(path)
  const read = (name: string): string => new RegExp(`data-${name}="([^"]*)"`).exec(text)?.[1] ?? ''
  return {
    address: read('live'),
    epoch: read('epoch'),
    state: new Uint8Array(Buffer.from(read('state'), 'base64')),
  }
}

/** Opens a connection. `headers` replace the headers of a browser. */
export function openSocket(
  origin: string,
  address: string,
  { cookies, headers = {} }: { readonly cookies: ReadonlyMap<string, string>; readonly headers?: object },
): WebSocket {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  return new WebSocket(origin.replace('http', 'ws') + address, { headers: { cookie, origin, ...headers } })
}

/** Opens the page of a file, or connects a page that was opened before; resolves when the texts are the same. */
export async function connectLive(
  origin: string,
  client: WebClient,
  from: string | LivePage,
  doc = new Y.Doc(),
): Promise<LiveClient> {
  const page = typeof from === 'string' ? await openLivePage(client, from) : from
  Y.applyUpdate(doc, page.state, 'server')
  const socket = openSocket(origin, page.address, { cookies: client.cookies })
  const messages: Record<string, unknown>[] = []
  let sentCount = 0
  let storedCount = 0
  const closed = once(socket, 'close').then(([code]) => Number(code))
  socket.on('error', () => {})
  socket.on('message', (bytes: Buffer, isBinary: boolean) => {
    if (isBinary) return Y.applyUpdate(doc, new Uint8Array(bytes), 'server')
    const message = JSON.parse(bytes.toString()) as Record<string, unknown>
    messages.push(message)
    if (message['kind'] === 'stored') storedCount = Number(message['count'])
  })
  await once(socket, 'open')
  const vector = Buffer.from(Y.encodeStateVector(doc)).toString('base64')
  socket.send(JSON.stringify({ kind: 'greeting', clientId: doc.clientID, epoch: page.epoch, vector }))
  await eventually(() => messages, { until: (all) => all.some(({ kind }) => kind === 'ready') })
  doc.on('update', (update: Uint8Array, from: unknown) => {
    if (from === 'server') return
    sentCount += 1
    socket.send(update)
  })
  return {
    doc,
    text: doc.getText('text'),
    socket,
    messages,
    whenStored: async () => void (await eventually(() => storedCount, { until: (count) => count === sentCount })),
    closed,
    async close() {
      socket.close()
      await closed
    },
  }
}
