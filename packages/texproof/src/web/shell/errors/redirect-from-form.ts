/**
 * Addresses that only receive forms. The browser shows such an address after a refused form, so users open it again: they
 * get the page above it, which has the form.
 */
import type { Context, Hono } from 'hono'
import { TrieRouter } from 'hono/router/trie-router'

import { localPath } from '../../../accounts/session/local-path.ts'
import { isReading } from './error-pages.ts'

/** A redirect to the page above an address that only receives forms; null for other addresses. */
export type RedirectFromForm = (c: Context) => Response | null

export function createRedirectFromForm(routes: Hono['routes']): RedirectFromForm {
  const forms = new TrieRouter<true>()
  // Addresses that end with a path in the repository are of scripts, or have a page themselves.
  for (const { method, path } of routes) if (method === 'POST' && !path.includes('[^]')) forms.add('GET', path, true)
  return (c) => {
    const { pathname } = new URL(c.req.url)
    if (!isReading(c) || forms.match('GET', pathname)[0].length === 0) return null
    return c.redirect(localPath(pathname.slice(0, pathname.lastIndexOf('/'))))
  }
}
