/**
 * The METAFONT sources any of which lets `mktextfm` make a font of this name, as `mktexmf` looks for them: the font's
 * own, that of its family, or the generator of a collection that makes every size.
 */
export function listFontSources(name: string): readonly string[] {
  const family = name.replace(/\d+$/, '')
  return [`${name}.mf`, `${family}.mf`, `b-${family}.mf`, ...collectionSources(name)]
}

function collectionSources(name: string): readonly string[] {
  if (/^(?:cs|lcsss|icscsc|icstt|ilcsss)/.test(name)) return ['cscode.mf']
  // The Cyrillic fonts of the LH collection.
  return /^(?:wn|rx|l[abcdhl])/.test(name) ? [`${name.slice(0, 2)}codes.mf`] : []
}
