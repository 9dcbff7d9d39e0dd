/** The server entry: the HTTP service as a Hono app, whole or as one route. */
export { createApp } from './server/create-app.ts'
export { createCompileRoute } from './server/create-compile-route.ts'
export type { CompileApp } from './server/create-app.ts'
export type { CompileServiceConfig } from './server/service-config.ts'
export type { ServiceEvent } from './server/service-event.ts'
