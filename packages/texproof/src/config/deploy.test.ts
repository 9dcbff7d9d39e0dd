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

test('the load balancer sends pages, git and API requests of a repository to the same server', () => {
  const rule = /^ *"~(.+)" \$path;$/m
  const [, source = ''] = rule.exec(read('nginx.conf')) ?? []
  const pattern = new RegExp(source)
  const keyOf = (path: string): string => pattern.exec(path)?.groups?.['path'] ?? path
  const paths = {
    '/alice/tides': 'alice/tides',
    '/alice/tides/edit/main/main.tex': 'alice/tides',
    '/alice/tides.git/info/refs': 'alice/tides',
    '/alice/tides.git': 'alice/tides',
    '/alice/tides.github.io/commits/main': 'alice/tides.github.io',
    '/api/v3/repos/alice/tides': 'alice/tides',
    '/api/v3/repos/alice/tides/branches/main': 'alice/tides',
    '/api/v3/repos/alice': '/api/v3/repos/alice',
    '/api/v3/user/repos': '/api/v3/user/repos',
    '/import/git/1': 'import/git',
    '/compile': '/compile',
    '/': '/',
  }
  assert.deepEqual(Object.fromEntries(Object.keys(paths).map((path) => [path, keyOf(path)])), paths)
  assert.equal(rule.exec(read('../docs/scaling.md'))?.[1], source)
})

test('the images contain the programs that draw figures', () => {
  const packages = new Set(read('Dockerfile').split(/\s+/))
  assert.deepEqual(
    ['poppler-utils', 'ghostscript', 'libtiff-tools'].filter((name) => !packages.has(name)),
    [],
  )
})

test('only the user of the server can access the data directory of the images, whose mode a new volume takes over', () => {
  const created = /install -d (.*) \/data\b/.exec(read('Dockerfile'))?.[1]
  assert.equal(created, '-m 700 -o texproof -g texproof')
})
