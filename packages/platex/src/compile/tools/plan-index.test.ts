import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { viewWorkspace } from '../workspace-view.ts'
import { planIndex, splitIndexEntries } from './plan-index.ts'
import { NO_SEARCH_PATHS } from '../latexmkrc/search-paths-of.ts'
import { NO_TOOL_COMMANDS } from '../latexmkrc/parse-tool-commands.ts'

test('splitIndexEntries leaves an index of one kind alone', () => {
  assert.equal(splitIndexEntries('\\indexentry{a}{1}\n'), null)
})

test('splitIndexEntries sorts entries by name and keeps their order', () => {
  const raw = '\\indexentry[people]{Bob}{1}\n\\indexentry{tide}{1}\n\\indexentry[people]{Alice}{2}\n'
  assert.deepEqual(
    splitIndexEntries(raw),
    new Map([
      ['people', '\\indexentry{Bob}{1}\n\\indexentry{Alice}{2}\n'],
      [null, '\\indexentry{tide}{1}\n'],
    ]),
  )
})

test('splitIndexEntries rejects names that would be paths', () => {
  const parts = splitIndexEntries('\\indexentry[../up]{Bob}{1}\n')
  assert.deepEqual([...(parts ?? new Map()).keys()], [null])
})

const HEADINGS = 'headings_flag 1\nheading_prefix "{\\\\bf "\nheading_suffix "}"\n'

/** The switches that planIndex chooses for a project with one style, and the lines that makeindex prints with them. */
async function sort(index: string, style: string): Promise<{ switches: readonly string[]; lines: readonly string[] }> {
  const dir = await mkdtemp(join(tmpdir(), 'platex-index-'))
  try {
    await writeFile(join(dir, 'main.idx'), index)
    await writeFile(join(dir, 'own.ist'), style)
    const givenFiles = new Set(['main.tex', 'own.ist'])
    const workspace = viewWorkspace({
      dir,
      rootFile: 'main.tex',
      givenFiles,
      tools: new Set(['makeindex']),
      searchPaths: NO_SEARCH_PATHS,
      toolCommands: NO_TOOL_COMMANDS,
    })
    const none = new Set<string>()
    const recorder = { workingDir: null, names: [], inputs: none, needed: none, outputs: new Set(['main.idx']) }
    const { plans } = await planIndex({ workspace, bibliography: 'bibtex', recorder, logText: '' })
    const args = plans[0]?.args ?? []
    await promisify(execFile)('makeindex', ['-q', ...args], { cwd: dir })
    // Half a character is an error, as in TeX.
    const sorted = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(join(dir, 'main.ind')))
    const lines = sorted.split('\n').flatMap((line) => (/\\item|\\bf/.test(line) ? [line.trim()] : []))
    return { switches: args.slice(0, args.indexOf('-t')), lines }
  } finally {
    await rm(dir, { recursive: true })
  }
}

describe('planIndex with the only style of a project', () => {
  const cases: readonly (readonly [string, string, string, readonly string[], readonly string[]])[] = [
    [
      'takes it for entries in ASCII',
      '\\indexentry{tide}{1}\n',
      HEADINGS,
      ['-s', 'own.ist'],
      ['{\\bf T}', '\\item tide, 1'],
    ],
    [
      'takes it for entries that are sorted in ASCII',
      '\\indexentry{Elan@Élan}{1}\n',
      HEADINGS,
      ['-s', 'own.ist'],
      ['{\\bf E}', '\\item Élan, 1'],
    ],
    [
      'does without headings that would have half a character',
      '\\indexentry{Élan}{1}\n',
      HEADINGS,
      [],
      ['\\item Élan, 1'],
    ],
    ['does without headings for a quoted character', '\\indexentry{"Élan}{1}\n', HEADINGS, [], ['\\item Élan, 1']],
    [
      'takes it without headings',
      '\\indexentry{Élan}{1}\n',
      `${HEADINGS}delim_0 "; "\nheadings_flag 0\n`,
      ['-s', 'own.ist'],
      ['\\item Élan; 1'],
    ],
    [
      'takes it if headings are only in a comment or text',
      '\\indexentry{Élan}{1}\n',
      'delim_0 "; headings_flag 1 " % \\" headings_flag 1\n',
      ['-s', 'own.ist'],
      ['\\item Élan; headings_flag 1 1'],
    ],
    [
      'takes it if it is for an index',
      '\\indexentry{tide}{1}\n',
      '% keyword "\\\\glossaryentry"\nkeyword "\\\\indexentry" delim_0 "; "\n',
      ['-s', 'own.ist'],
      ['\\item tide; 1'],
    ],
    [
      'does without one for a glossary',
      '\\indexentry{tide}{1}\n',
      'keyword "\\\\glossaryentry"\n',
      [],
      ['\\item tide, 1'],
    ],
  ]
  for (const [title, index, style, switches, lines] of cases) {
    test(title, async () => {
      assert.deepEqual(await sort(index, style), { switches, lines })
    })
  }
})
