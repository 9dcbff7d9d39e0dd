import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseLatexmkPaths } from './parse-latexmk-paths.ts'

function pathsOf(source: string): readonly string[] {
  return parseLatexmkPaths(source).map(({ variable, path }) => `${variable} ${path}`)
}

const cases: readonly (readonly [string, string, readonly string[]])[] = [
  ['ensure_path', `ensure_path( 'TEXINPUTS', './sty//', "tex" );`, ['TEXINPUTS ./sty//', 'TEXINPUTS tex']],
  ['an assignment', `$ENV{'BIBINPUTS'}='./bib//:' . $ENV{'BIBINPUTS'};`, ['BIBINPUTS ./bib//', 'BIBINPUTS BIBINPUTS']],
  [
    'an assignment without quotes',
    '$ENV{TEXINPUTS} = "./a:./b:$ENV{TEXINPUTS}";',
    ['TEXINPUTS ./a', 'TEXINPUTS ./b', 'TEXINPUTS $ENV{TEXINPUTS}'],
  ],
  ['an addition, with the separator of Windows', `$ENV{'BSTINPUTS'} .= ';../bst';`, ['BSTINPUTS ../bst']],
  ['join', `$ENV{TEXINPUTS} = join(':', 'a', 'b');`, ['TEXINPUTS a', 'TEXINPUTS b']],
  ['a comment', `# ensure_path('TEXINPUTS', 'a');\n$x = '#'; ensure_path('TEXINPUTS', 'b');`, ['TEXINPUTS b']],
  ['another variable', `ensure_path('TEXMFHOME', 'a'); $ENV{TZ} = 'Asia/Shanghai';`, []],
  ['a value that is only read', `my $old = $ENV{'TEXINPUTS'}; print 'a';`, []],
  ['a text that is not Perl', 'not of this compile', []],
]

for (const [name, source, expected] of cases) {
  test(`the search paths of a latexmkrc: ${name}`, () => {
    assert.deepEqual(pathsOf(source), expected)
  })
}

test('a latexmkrc of one megabyte without an end of its strings is read in bounded time', () => {
  for (const part of [`'\\`, `"\\'`, 'ensure_path(', `$ENV{TEXINPUTS}='`])
    assert.ok(parseLatexmkPaths(part.repeat(400_000)).length < 10_000)
})
