import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findSourceMistakes } from './find-source-mistakes.ts'

const messages = (text: string): readonly string[] =>
  findSourceMistakes(new Map([['main.tex', text]])).map(({ file, line, message }) => `${file}:${line} ${message}`)

test('findSourceMistakes() finds a label before its caption', () => {
  const text = '\\begin{figure}\n\\begin{center}\n\\label{a}\n\\caption{A}\n\\end{center}\n\\end{figure}\nSee \\ref{a}.'
  assert.deepEqual(messages(text), ['main.tex:3 \\label{a} is before its \\caption.'])
})

test('findSourceMistakes() accepts labels that nothing refers to', () => {
  assert.deepEqual(messages('\\begin{figure}\n\\label{a}\n\\caption{A}\n\\end{figure}'), [])
})

test('findSourceMistakes() accepts labels in and after captions', () => {
  const text =
    '\\begin{table}\\caption{A\\label{a}}\\end{table}\n\\begin{table}\\caption{B}\\label{b}\\end{table}\n\\cref{a,b}'
  assert.deepEqual(messages(text), [])
})

test('findSourceMistakes() accepts labels of subfigures', () => {
  const text =
    '\\begin{figure}\n\\begin{subfigure}{3cm}\\caption{A}\\label{a}\\end{subfigure}\n\\caption{B}\\label{b}\n\\end{figure}\n\\ref{a} \\ref{b}'
  assert.deepEqual(messages(text), [])
})

test('findSourceMistakes() accepts labels in the arguments of commands for subfigures', () => {
  const parts = [
    '\\subfloat[One\\label{a}]{A}',
    '\\subcaptionbox{One\\label{a}}{A}',
    '\\subfigure[One]{\\label{a}A}',
    '\\subtable[One]{\\label{a}A}',
    '\\subbottom[One\\label{a}]{A}',
    '\\begin{minipage}{3cm}A\\subcaption{One}\\end{minipage}\\label{a}',
  ]
  assert.deepEqual(
    parts.flatMap((part) =>
      messages(`\\begin{figure}\n${part}\n\\caption{B}\\label{b}\n\\end{figure}\n\\ref{a} \\ref{b}`),
    ),
    [],
  )
})

test('findSourceMistakes() finds a frame in an article', () => {
  const text = '\\documentclass[12pt]{article}\n\\begin{document}\n\\begin{frame}{Title}\n\\end{frame}\n\\end{document}'
  assert.deepEqual(messages(text), ['main.tex:3 The class article has no environment "frame".'])
})

test('findSourceMistakes() accepts frames that the document defines', () => {
  const text = '\\documentclass{article}\n\\newenvironment{frame}{}{}\n\\begin{frame}\n\\end{frame}'
  assert.deepEqual(messages(text), [])
})

test('findSourceMistakes() finds a part of a question outside of parts', () => {
  const text = '\\documentclass{exam}\n\\begin{questions}\n\\question A\n\\part[2] B\n\\part C\n\\end{questions}'
  assert.deepEqual(messages(text), ['main.tex:4 A \\part of a question is outside of the environment parts.'])
})

test('findSourceMistakes() accepts parts of questions, and headings of an exam', () => {
  const text =
    '\\documentclass{exam}\n\\part{One}\n\\begin{questions}\n\\question A\n\\begin{parts}\n\\part B\n\\end{parts}\n\\part{Two}\n\\end{questions}'
  assert.deepEqual(messages(text), [])
})

test('findSourceMistakes() finds a comment of Lua in \\directlua', () => {
  const text = '\\directlua{\n  local s = "--"\n  -- add\n  tex.print(s)\n}'
  assert.deepEqual(messages(text), ['main.tex:3 Here "--" makes the rest of \\directlua a comment.'])
})

test('findSourceMistakes() accepts a comment at the end of \\directlua', () => {
  assert.deepEqual(messages('\\directlua{\n  tex.print("--")\n  -- the end\n}\nText -- more.'), [])
})

test('findSourceMistakes() finds the first unresolved merge conflict of a file', () => {
  const conflict = '<<<<<<< HEAD\nA\n=======\nB\n>>>>>>> model\n'
  assert.deepEqual(messages(`Text.\n${conflict}${conflict}`), ['main.tex:2 Unresolved merge conflict in lines 2 to 6.'])
  assert.deepEqual(messages('<<<<<<< HEAD\r\nA\r\n=======\r\nB\r\n>>>>>>> model\r\n'), [
    'main.tex:1 Unresolved merge conflict in lines 1 to 5.',
  ])
})

test('findSourceMistakes() accepts merge conflicts in verbatim text, and underlined headings', () => {
  const conflict = '<<<<<<< HEAD\nA\n=======\nB\n>>>>>>> model\n'
  assert.deepEqual(messages(`\\begin{lstlisting}\n${conflict}\\end{lstlisting}\nHeading\n=======\n`), [])
})
