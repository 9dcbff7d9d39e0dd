import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shortenMap } from './short-font-map.ts'

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
