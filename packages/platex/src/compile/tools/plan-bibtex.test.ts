import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseOrders, orderOf } from './plan-bibtex.ts'

function choose(files: Record<string, string>, wanted: readonly string[] = []): readonly string[] {
  const texts = new Map(Object.entries(files))
  const orders = new Map([...texts.keys()].map((path) => [path, orderOf(path, { texts, folder: '' })]))
  return chooseOrders(orders, new Set(wanted)).map((order) => order.aux)
}

const CITES = '\\citation{a}\n'
const ASKS = '\\bibstyle{plain}\n\\bibdata{refs}\n'

test('chooseOrders accepts an aux file with citation, style and database', () => {
  assert.deepEqual(choose({ 'main.aux': CITES + ASKS }), ['main.aux'])
})

test('chooseOrders rejects an aux file without a style, a database or a citation', () => {
  assert.deepEqual(choose({ 'main.aux': `${CITES}\\bibdata{refs}\n` }), [])
  assert.deepEqual(choose({ 'main.aux': `${CITES}\\bibstyle{plain}\n` }), [])
  assert.deepEqual(choose({ 'main.aux': ASKS }), [])
})

test('chooseOrders selects the root if the only database is named in an included file', () => {
  const files = {
    'main.aux': `\\bibstyle{plain}\n\\@input{one.aux}\n\\@input{back.aux}\n`,
    'one.aux': CITES,
    'back.aux': '\\bibdata{refs}\n',
  }
  assert.deepEqual(choose(files), ['main.aux'])
})

test('chooseOrders selects the chapters if each has a database', () => {
  const files = {
    'main.aux': '\\@input{one.aux}\n\\@input{two.aux}\n',
    'one.aux': CITES + ASKS,
    'two.aux': CITES + ASKS,
  }
  assert.deepEqual(choose(files), ['one.aux', 'two.aux'])
})

test('chooseOrders selects the chapter whose bibliography TeX did not find', () => {
  const files = { 'main.aux': '\\@input{one.aux}\n', 'one.aux': CITES + ASKS }
  assert.deepEqual(choose(files), ['main.aux'])
  assert.deepEqual(choose(files, ['one.bbl']), ['one.aux'])
})

test('chooseOrders selects every bibliography of a document with several', () => {
  assert.deepEqual(choose({ 'main.aux': CITES + ASKS, 'own.aux': CITES + ASKS }), ['main.aux', 'own.aux'])
})

test('orderOf ends for files that input each other', () => {
  const texts = new Map([
    ['a.aux', '\\@input{b.aux}\n'],
    ['b.aux', '\\@input{a.aux}\n'],
  ])
  assert.deepEqual(orderOf('a.aux', { texts, folder: '' }).children, ['b.aux'])
})
