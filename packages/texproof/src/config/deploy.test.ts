import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

import { allSettings } from './settings.ts'

const deploy = new URL('../../../../deploy/', import.meta.url)
const read = (name: string): string => readFileSync(new URL(name, deploy), 'utf8')

test('the settings in the compose file exist', () => {
  const known = new Set(allSettings.map(({ variable }) => variable))
  const used = [...read('compose.yaml').matchAll(/^ +(TEXPROOF_\w+):/gm)].map(([, name = '']) => name)
  assert.notEqual(used.length, 0)
  assert.deepEqual(
    used.filter((name) => !known.has(name)),
    [],
  )
})

test('the load balancer of the compose file sends requests to all of its servers', () => {
  const services = [...read('compose.yaml').matchAll(/^ {2}(web\d):/gm)].map(([, name]) => name)
  const upstream = [...read('nginx.conf').matchAll(/server (web\d):3000;/g)].map(([, name]) => name)
  assert.deepEqual(upstream, services)
})
