import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { isUsablePicture, listPackages, shortenMap } from './short-font-map.ts'

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
    omittedFonts: new Set(['roboto-t1', 'Roboto']),
  })
})

test('the short map keeps an omitted font with the PostScript name of another font', () => {
  const whole = 'dd-lmr10 LMRoman10 <dd.enc <lmr10.pfb\nec-lmr10 LMRoman10 <ec.enc <lmr10.pfb\n'
  const folders = [{ path: '/tree/fonts/tfm/public/cfr-lm', fonts: ['dd-lmr10'], isOmitted: true }]
  assert.deepEqual(shortenMap(whole, folders), {
    map: whole,
    omittedFolders: ['/tree/fonts/tfm/public/cfr-lm'],
    omittedFonts: new Set(),
  })
})

test('the packages of omitted fonts are those in folders with the names of the fonts', () => {
  const folders = [
    { name: 'tex/latex/inriafonts', files: ['InriaSans.sty', 't1inriasans.fd'] },
    { name: 'tex/latex/amsmath', files: ['amsmath.sty'] },
    { name: 'doc/inriafonts', files: ['example.sty'] },
  ]
  assert.deepEqual(listPackages(folders, ['/tree/fonts/tfm/public/inriafonts']), ['inriasans'])
})

test('a picture can be used with the short map if none of its fonts is omitted', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'texproof-pictures-'))
  const named = (name: string): string => `<</Type/Font/BaseFont/${name}>>`
  const pictures = {
    'none.pdf': '<</XObject 1 0 R>>',
    'kept.pdf': named('ABCDEF+CMR10'),
    'omitted.pdf': named('ABCDEF+Roboto'),
    'slanted.pdf': named('ABCDEF+Roboto-Slant_167'),
    'unknown.pdf': '<</Type/Font/BaseFont 7 0 R>>',
    'large.pdf': ' '.repeat(100_000),
  }
  try {
    for (const [name, text] of Object.entries(pictures)) await writeFile(join(folder, name), text)
    const usable: string[] = []
    for (const name of [...Object.keys(pictures), 'missing.pdf'])
      if (await isUsablePicture(join(folder, name), new Set(['roboto-t1', 'Roboto']))) usable.push(name)
    assert.deepEqual(usable, ['none.pdf', 'kept.pdf'])
  } finally {
    await rm(folder, { recursive: true })
  }
})
