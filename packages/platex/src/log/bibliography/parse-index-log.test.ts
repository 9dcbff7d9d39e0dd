import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseIndexLog } from './parse-index-log.ts'

const sources = new Map([['main.tex', 'Words\\index{a@b}\n% \\index{x@y@z}\nmore\\index{one@two@three} end\n']])

test('parseIndexLog() finds the command of an entry that makeindex rejected', () => {
  const text = [
    'Scanning input file main.idx....',
    '!! Input index error (file = main.idx, line = 2):',
    "   -- Extra `@' at position 8 of first argument.",
    'done (1 entries accepted, 1 rejected).',
  ].join('\n')
  assert.deepEqual(parseIndexLog({ tool: 'makeindex', text, sources }), {
    errors: [
      {
        type: 'error',
        file: 'main.tex',
        line: 3,
        message: "makeindex left out an entry: Extra `@' at position 8 of first argument.",
        context: '!! Input index error (file = main.idx, line = 2):',
        source: 'latex',
      },
    ],
    warnings: [],
  })
})

test('parseIndexLog() reads the warnings of makeindex', () => {
  const text = [
    '## Warning (input = main.idx, line = 4; output = main.ind, line = 9):',
    '   -- Conflicting entries: multiple encaps for the same page under same key.',
  ].join('\n')
  const message = 'makeindex: Conflicting entries: multiple encaps for the same page under same key.'
  assert.deepEqual(parseIndexLog({ tool: 'makeindex', text, sources }), {
    errors: [],
    warnings: [{ type: 'warning', code: 'other', file: null, line: null, message }],
  })
})

test('parseIndexLog() reads the errors of xindy and the warnings of bib2gls', () => {
  const xindy = parseIndexLog({ tool: 'xindy', text: 'ERROR: CHAR: index 1 should be less than 1', sources })
  const bib2gls = parseIndexLog({ tool: 'bib2gls', text: 'Warning: No entries selected.', sources })
  assert.deepEqual(
    [xindy.errors.map(({ message }) => message), bib2gls.warnings.map(({ message }) => message)],
    [['xindy: CHAR: index 1 should be less than 1'], ['bib2gls: No entries selected.']],
  )
})

test('parseIndexLog() finds the place of thousands of rejected entries in a large document', () => {
  const document = new Map([['main.tex', `${'Some text.\n'.repeat(200_000)}\\index{x@y@z}\n`]])
  const text = Array.from(
    { length: 5_000 },
    (_, at) =>
      `!! Input index error (file = main.idx, line = ${at}):\n   -- Extra \`@' at position ${at} of first argument.`,
  ).join('\n')
  const { errors } = parseIndexLog({ tool: 'makeindex', text, sources: document })
  assert.deepEqual(
    errors.map(({ line }) => line),
    Array.from({ length: 5_000 }, () => 200_001),
  )
})

test('parseIndexLog() finds the range that is not closed', () => {
  const document = new Map([['main.tex', '\\index{a|(}\n\\index{b|(}\n\\index{a|)}\n']])
  const text =
    '## Warning (input = main.idx, line = 2; output = main.ind, line = 9):\n   -- Unmatched range opening operator (.'
  const { warnings } = parseIndexLog({ tool: 'makeindex', text, sources: document })
  assert.deepEqual(
    warnings.map(({ line }) => line),
    [2],
  )
})
