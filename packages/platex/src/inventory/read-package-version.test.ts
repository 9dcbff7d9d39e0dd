import assert from 'node:assert/strict'
import { test } from 'node:test'

import { readPackageVersion } from './read-package-version.ts'

test('readPackageVersion reads versions in all forms that packages use', () => {
  const sources = [
    String.raw`\ProvidesExplPackage {siunitx} {2023-01-03} {3.2.0}`,
    String.raw`\ProvidesPackage{amsmath}[2022/04/08 v2.17n AMS math features]`,
    '\\ProvidesPackage{hyperref}\n  [2023-02-07 v7.00v Hypertext links for LaTeX]',
    '\\ProvidesClass{beamer}%\n  [2022/9/13 v3.68 A class]',
    String.raw`\def\abx@date{2022-06-22}\def\abx@version{3.18b}\ProvidesPackage{biblatex}[\abx@date\space v\abx@version\space (PK/MW)]`,
    String.raw`\ProvidesPackage{plain}[1999/12/31 Nothing else]`,
    String.raw`\ProvidesPackage{numbered}[v1.2.3 no date]`,
    String.raw`\ProvidesPackage{tikz}[\pgfrevisiondate\space v\pgfversion]`,
    String.raw`\ProvidesPackage{silent}`,
    '',
  ]
  assert.deepEqual(sources.map(readPackageVersion), [
    '2023-01-03 3.2.0',
    '2022-04-08 2.17n',
    '2023-02-07 7.00v',
    '2022-09-13 3.68',
    '2022-06-22 3.18b',
    '1999-12-31',
    '1.2.3',
    null,
    null,
    null,
  ])
})
