import type { html } from 'hono/html'

/** Markup made by the `html` tag, with every value escaped. */
export type Html = ReturnType<typeof html>
