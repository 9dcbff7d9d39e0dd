/** Contrast of the colors in `tokens.css`, from their definitions (WCAG 2.2, 1.4.3 and 1.4.11). */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const styles = new URL('../../', import.meta.url)
/** A rule whose selector names a field or a button. */
const CONTROL_RULE = /^[^{}@]*\b(?:input|select|textarea|button)\b[^{}]*\{[^}]*\}/gm

/** Backgrounds of text and controls. */
const GROUNDS = ['paper', 'sheet', 'shade']
const TEXTS = ['ink', 'ink-soft', 'red', 'amber', 'green', 'syntax-word', 'syntax-text', 'syntax-value', 'syntax-name']
/** Borders of fields and buttons, the focus, and the line below what is chosen. */
const BOUNDARIES = ['rule-strong', 'focus', 'ink']

type Color = readonly [lightness: number, chroma: number, hue: number]

const PAIR = /--([\w-]+): light-dark\(oklch\(([\d. ]+)\), oklch\(([\d. ]+)\)\);/g
const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8')
const pairs = [...css.matchAll(PAIR)].map(([, name = '', light = '', dark = '']) => [name, [light, dark]] as const)
const schemes = ['light', 'dark'].map((name, at) => ({
  name,
  colors: new Map(pairs.map(([token, pair]) => [token, (pair[at] ?? '').split(' ').map(Number) as unknown as Color])),
}))

for (const { name, colors } of schemes) {
  const find = (token: string): Color => {
    const color = colors.get(token)
    assert.ok(color, `--${token} is not a pair of colors`)
    return color
  }
  const pairsBelow = (least: number, tokens: readonly string[], grounds: readonly string[]): readonly string[] =>
    tokens.flatMap((token) =>
      grounds
        .map((ground) => [ground, contrastOf(find(token), find(ground))] as const)
        .filter(([, contrast]) => contrast < least)
        .map(([ground, contrast]) => `${token} on ${ground}: ${contrast.toFixed(2)}`),
    )

  test(`text has a contrast of at least 4.5 in ${name} mode, also where something is chosen`, () => {
    assert.deepEqual(pairsBelow(4.5, TEXTS, [...GROUNDS, 'chosen']), [])
  })

  test(`borders of controls have a contrast of at least 3 in ${name} mode`, () => {
    assert.deepEqual(pairsBelow(3, BOUNDARIES, GROUNDS), [])
  })
}

test('no border of a field or button has the fainter color of lines', () => {
  const rules = globSync('**/*.css', { cwd: styles }).flatMap((file) =>
    [...readFileSync(new URL(file, styles), 'utf8').matchAll(CONTROL_RULE)].map(([rule]) => rule),
  )
  assert.deepEqual(
    [rules.length > 20, rules.filter((rule) => /border(?:-color)?: .*var\(--rule\)/.test(rule))],
    [true, []],
  )
})

function contrastOf(a: Color, b: Color): number {
  const [darker = 0, lighter = 0] = [luminanceOf(a), luminanceOf(b)].sort((x, y) => x - y)
  return (lighter + 0.05) / (darker + 0.05)
}

/**
 * Relative luminance of a color in OKLCH, within sRGB.
 *
 * Source: Björn Ottosson, A perceptual color space for image processing.
 */
function luminanceOf([lightness, chroma, hue]: Color): number {
  const angle = (hue * Math.PI) / 180
  const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)]
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const clip = (value: number): number => Math.min(1, Math.max(0, value))
  const red = clip(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s)
  const green = clip(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s)
  const blue = clip(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
