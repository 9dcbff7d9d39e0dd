import assert from 'node:assert/strict'
import { test } from 'node:test'

import fc from 'fast-check'

import { findVerbatimEnvironments } from './split-source.ts'
import { findNoteCommands, stripNotes } from './strip-notes.ts'

const verbatimEnvironments = findVerbatimEnvironments([])
const strip = (source: string): string =>
  stripNotes(source, { commands: findNoteCommands([source]), verbatimEnvironments })

test('stripNotes() removes notes with their options and nested braces', () => {
  assert.equal(
    strip(String.raw`Tides\todo[color=blue!20, author={Bob}]{Cite \textbf{Doe}.} rise\fxnote{really?}.`),
    'Tides rise.',
  )
})

test('stripNotes() removes the line of a note, so that the paragraph goes on', () => {
  assert.equal(strip('Tides\n  \\todo[inline]{Write more,\n  much more.}\nrise.\n\\listoftodos\n'), 'Tides\nrise.\n')
})

test('stripNotes() removes the notes of commands that the document defines', () => {
  const source = [
    String.raw`\newcommand{\alice}[1]{\todo[color=red]{#1}}`,
    String.raw`\newcommand\bob[2][]{\todo[#1]{Bob: #2}}`,
    String.raw`\newcommand{\strong}[1]{\textbf{#1}}`,
    String.raw`Tides\alice{Why?} \strong{rise}\bob[inline]{Because.}.`,
  ].join('\n')
  const expected = [
    String.raw`\newcommand{\alice}[1]{}`,
    String.raw`\newcommand\bob[2][]{}`,
    String.raw`\newcommand{\strong}[1]{\textbf{#1}}`,
    String.raw`Tides \strong{rise}.`,
  ]
  assert.equal(strip(source), expected.join('\n'))
})

test('stripNotes() leaves comments, listings and other commands alone', () => {
  const source =
    '% \\todo{a}\n\\verb|\\todo{b}| \\todos{c} \\\\todo{d}\n\\begin{verbatim}\n\\todo{e}\n\\end{verbatim}\n\\todo\n'
  assert.equal(strip(source), source)
})

test('stripNotes() only removes', () => {
  const part = fc.constantFrom(
    '\\todo',
    '{',
    '}',
    '[',
    ']',
    '\n',
    'a ',
    '%',
    '\\fxnote{',
    '\\newcommand{\\todo}[1]{',
    '\\',
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
      const source = parts.join('')
      let at = 0
      for (const letter of strip(source)) {
        at = source.indexOf(letter, at) + 1
        assert.notEqual(at, 0)
      }
    }),
  )
})
