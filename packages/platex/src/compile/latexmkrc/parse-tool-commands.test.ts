import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_TOOL_COMMANDS, parseToolCommands } from './parse-tool-commands.ts'

test('parseToolCommands() returns the words of the last commands, without placeholders', () => {
  const source = `
    $biber = 'biber --debug';
    # $biber = 'biber --commented-out';
    $biber = "biber -l zh__pinyin --output-safechars %O %S";
    $makeindex = 'texindy -L german-duden -C utf8 %O -o %D "%S"';
    $clean_ext = 'run.xml';`
  assert.deepEqual(parseToolCommands(source), {
    biber: ['biber', '-l', 'zh__pinyin', '--output-safechars'],
    makeindex: ['texindy', '-L', 'german-duden', '-C', 'utf8', '-o'],
  })
})

for (const source of [
  '',
  '$biber_silent_switch = "--quiet";',
  '$biber = "";',
  "$biber = 'biber ' . $options;",
  '$biber = $ENV{BIBER};',
  '@biber = ("biber");',
  '$hash{biber} = "biber -l de";',
])
  test(`parseToolCommands() finds no command in ${source === '' ? 'an empty file' : source}`, () => {
    assert.deepEqual(parseToolCommands(source), NO_TOOL_COMMANDS)
  })
