import type { Context, Env, Hono } from 'hono'

import type { Deps } from '../../operations/deps.ts'
import { postRedelivery, showDelivery } from './delivery.ts'
import { postDeleteWebhook, postTestWebhook, postWebhook, showWebhook } from './webhook.ts'
import { postNewWebhook, showNewWebhook, showWebhooks } from './webhooks.ts'

/** The webhooks of a repository and the log of their deliveries. */
export function addWebhookRoutes<E extends Env>(app: Hono<E>, deps: Deps): void {
  const path = '/:owner/:repo/settings/webhooks'
  app.get(path, (c: Context) => showWebhooks(c, deps))
  app.get(`${path}/new`, (c: Context) => showNewWebhook(c, deps))
  app.post(`${path}/new`, (c: Context) => postNewWebhook(c, deps))
  app.get(`${path}/:id`, (c: Context) => showWebhook(c, deps))
  app.post(`${path}/:id`, (c: Context) => postWebhook(c, deps))
  app.post(`${path}/:id/test`, (c: Context) => postTestWebhook(c, deps))
  app.post(`${path}/:id/delete`, (c: Context) => postDeleteWebhook(c, deps))
  app.get(`${path}/:id/deliveries/:delivery`, (c: Context) => showDelivery(c, deps))
  app.post(`${path}/:id/deliveries/:delivery/redeliver`, (c: Context) => postRedelivery(c, deps))
}
