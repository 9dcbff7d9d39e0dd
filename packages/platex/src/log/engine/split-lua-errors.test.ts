import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { splitLuaErrors } from './split-lua-errors.ts'

const traceback = (place: string): string[] => [
  'stack traceback:',
  "\t[C]: in function 'error'",
  `\t${place} in main chunk.`,
  'l.4 \\directlua{x}',
]

describe('splitLuaErrors', () => {
  for (const [text, place] of [
    ['abc', '[\\directlua]:1:'],
    ['q', '[\\latelua]:2:'],
    ['abc', 'a.lua:2:'],
    ['a b', '[string "my chunk"]:1:'],
  ] as const) {
    it(`separates an error at ${place} from text that Lua has printed`, () => {
      assert.deepEqual(splitLuaErrors([`${text}${place} boom`, ...traceback(place)]), [
        text,
        `${place} boom`,
        ...traceback(place),
      ])
    })
  }

  it('separates an error from the file that was closed before it', () => {
    const lines = ['(./main.aux))a.lua:2: boom', 'l.4 \\directlua{x}']
    assert.deepEqual(splitLuaErrors(lines), ['(./main.aux))', 'a.lua:2: boom', 'l.4 \\directlua{x}'])
  })

  for (const lead of ['(./b.tex)', ')', '[1{pdftex.map}] [2]'])
    it(`separates an error of syntax from ${lead}`, () => {
      const below = ['l.4 \\directlua{x', '      = = 1}', 'The lua interpreter ran into a problem, so the']
      const message = "[\\directlua]:1: unexpected symbol near '='."
      assert.deepEqual(splitLuaErrors([`${lead}${message}`, ...below]), [lead, message, ...below])
    })

  it('leaves text that looks like an error of Lua as it is', () => {
    const lines = ['(./b.tex)[\\directlua]:1: an example', 'l.4 x']
    assert.deepEqual(splitLuaErrors(lines), lines)
  })

  for (const [what, line] of [
    ['an error that begins its line', '[\\directlua]:1: [\\directlua]:1: boom'],
    ['a line without the place of the traceback', 'boom'],
  ] as const) {
    it(`leaves ${what} as it is`, () => {
      const lines = [line, ...traceback('[\\directlua]:1:')]
      assert.deepEqual(splitLuaErrors(lines), lines)
    })
  }
})
