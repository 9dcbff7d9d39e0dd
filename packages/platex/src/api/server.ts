/** The server entry point: the HTTP service as a Hono app, or only its compile route. */
export { createApp } from '../service/create-app.ts'
export { createCompileRoute } from '../service/create-app.ts'
export type { CompileApp } from '../service/create-app.ts'
export type { CompileServiceConfig } from '../service/service-config.ts'
export type { ServiceEvent } from '../service/service-event.ts'
