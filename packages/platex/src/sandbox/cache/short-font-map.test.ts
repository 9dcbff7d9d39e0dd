import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { isPictureWithoutFonts, shortenMap } from './short-font-map.ts'

test('the short map omits the fonts of large families unless a small one has a font of the same name', () => {
  const whole =
    '% map\ncmr10 CMR10 <cmr10.pfb\nroboto-t1 Roboto <roboto.pfb\nshared Shared <shared.pfb\nno-metrics X <x.pfb\n'
  const folders = [
    { path: '/tree/fonts/tfm/google/roboto', fonts: ['roboto-t1', 'shared'], isOmitted: true },
    { path: '/tree/fonts/tfm/public/cm', fonts: ['cmr10', 'shared'], isOmitted: false },
  ]
  assert.deepEqual(shortenMap(whole, folders), {
    map: '% map\ncmr10 CMR10 <cmr10.pfb\nshared Shared <shared.pfb\nno-metrics X <x.pfb\n',
    omittedFolders: ['/tree/fonts/tfm/google/roboto'],
  })
})

test('a picture has no fonts if it names none and compresses no objects', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'texproof-pictures-'))
  try {
    const pictures = ['<</XObject 1 0 R>>', '<</Font<</F1 2 0 R>>>>', '<</Type/ObjStm>>', ' '.repeat(100_000)]
    const paths = pictures.map((_, at) => join(folder, `${at}.pdf`))
    await Promise.all(pictures.map((picture, at) => writeFile(join(folder, `${at}.pdf`), picture)))
    const answers = await Promise.all([...paths, join(folder, 'missing.pdf')].map(isPictureWithoutFonts))
    assert.deepEqual(answers, [true, false, false, false, false])
  } finally {
    await rm(folder, { recursive: true })
  }
})
