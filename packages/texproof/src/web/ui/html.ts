import type { html } from 'hono/html'

/** Markup made by the `html` tag: every value in it is escaped already. */
export type Html = ReturnType<typeof html>
