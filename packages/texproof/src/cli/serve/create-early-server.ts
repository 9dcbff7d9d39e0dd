import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'

import type { Logger } from 'pino'

import { deferContinue } from '../../api/defer-continue.ts'
import { answerParserErrors } from '../../api/parser-errors.ts'
import { serveInTurn } from '../../base/http/serve-in-turn.ts'
import { isLiveRequest, type LiveConnections } from '../../main/live-connections.ts'
import { limitConnections, type ConnectionLimits } from './limit-connections.ts'

/** What answers the requests of a host. */
export interface Answering {
  readonly listener: RequestListener
  readonly connections: LiveConnections
}

/** A server that accepts connections before its host is open. */
export interface EarlyServer {
  readonly server: Server
  /** Answers the requests that have waited, and all later ones. */
  open(answering: Answering): void
  /** Ends all connections, because the host does not open. */
  fail(): void
}

/** A push may transfer a gigabyte over a slow connection. */
const requestTimeoutMs = 3_600_000
/** Connections without traffic are closed. The longest silence of this server is a compile of two minutes. */
const silenceMs = 180_000
/** Longer than load balancers keep idle connections (60 s): they would otherwise send a request while this server closes it. */
const idleMs = 65_000

/** Creates the server. */
export function createEarlyServer(log: Logger, connectionLimits: ConnectionLimits): EarlyServer {
  let answering: Answering | null = null
  const waiting: (() => void)[] = []
  const limits = { requestTimeout: requestTimeoutMs, requireHostHeader: false, shouldUpgradeCallback: isLiveRequest }
  const listener = serveInTurn((request, response) => {
    if (answering === null) waiting.push(() => answering?.listener(request, response))
    else answering.listener(request, response)
  })
  const server = createServer(limits, listener)
  server.on('upgrade', (request, socket, head) => {
    // During the start, browsers connect again.
    if (answering === null) socket.destroy()
    else answering.connections.upgrade(request, socket, head)
  })
  answerParserErrors(server, { log })
  deferContinue(server)
  server.setTimeout(silenceMs)
  server.keepAliveTimeout = idleMs
  limitConnections(server, connectionLimits)
  return {
    server,
    open(opened) {
      answering = opened
      for (const answer of waiting.splice(0)) answer()
    },
    fail() {
      server.close()
      server.closeAllConnections()
    },
  }
}
