/** Libraries of TikZ: suggestions for misspelled ones, and the library that defines a key. */
const keysOfLibrary: Readonly<Record<string, string>> = {
  positioning: 'on grid',
  'shapes.geometric':
    'diamond|ellipse|trapezium|regular polygon|star|isosceles triangle|kite|dart|semicircle|circular sector|cylinder|trapezium angle|regular polygon sides|star points|aspect',
  'shapes.misc': 'rounded rectangle|chamfered rectangle|strike out|cross out',
  'shapes.symbols': 'cloud|starburst|signal|tape|forbidden sign|magnifying glass|cloud puffs',
  'shapes.arrows': 'single arrow|double arrow|arrow box',
  'shapes.multipart': 'rectangle split|ellipse split|rectangle split parts',
  'shapes.callouts':
    'rectangle callout|ellipse callout|cloud callout|callout absolute pointer|callout relative pointer',
  fit: 'fit',
  matrix: 'matrix of nodes|matrix of math nodes',
  intersections: 'name path|name intersections|name path global',
  backgrounds: 'on background layer|show background rectangle|framed|show background grid|background rectangle',
  chains: 'start chain|on chain|continue chain|start branch',
  automata: 'state|initial|accepting|initial text|state with output',
  quotes: 'every edge quotes',
  angles: 'angle radius|angle eccentricity',
  shadows: 'drop shadow|circular drop shadow|general shadow|copy shadow|circular glow',
  'shadows.blur': 'blur shadow',
  mindmap: 'mindmap|concept|concept color|grow cyclic|root concept',
  trees: 'clockwise from|counterclockwise from',
  spy: 'spy using outlines|spy using overlays|spy scope',
  petri: 'place|transition|tokens',
}

const libraryOfKey: ReadonlyMap<string, string> = new Map(
  Object.entries(keysOfLibrary).flatMap(([library, keys]) =>
    keys.split('|').map((key): [string, string] => [key, library]),
  ),
)

/** The library that defines a key of TikZ; null if the key belongs to none, or is part of TikZ itself. */
export function tikzLibraryOf(key: string): string | null {
  return libraryOfKey.get(key) ?? null
}

/** Kinds of decorations and their library. */
export function decorationLibraryOf(text: string): string {
  if (/\b(?:snake|zigzag|coil|random steps|saw|bent|bumps)\b/.test(text)) return 'decorations.pathmorphing'
  if (/\bmark/.test(text)) return 'decorations.markings'
  if (/text along path|text effects/.test(text)) return 'decorations.text'
  return 'decorations.pathreplacing'
}

/** Names for \usetikzlibrary. */
export const tikzLibraries: readonly string[] = [
  ...Object.keys(keysOfLibrary),
  ...'arrows arrows.meta calc calendar scopes decorations.markings babel cd decorations decorations.pathmorphing decorations.pathreplacing decorations.text er external fadings fixedpointarithmetic folding fpu graphs graphdrawing lindenmayersystems math optics patterns patterns.meta perspective plothandlers plotmarks rdf shapes snakes svg.path through topaths turtle views'.split(
    ' ',
  ),
]

/** Libraries for \usepgfplotslibrary. */
export const plotLibraries: readonly string[] =
  'fillbetween groupplots dateplot statistics polar ternary smithchart patchplots units colormaps colorbrewer external decorations.softclip clickable'.split(
    ' ',
  )

/** Environments that a library of pgfplots defines. */
export const plotLibraryOfEnvironment: ReadonlyMap<string, string> = new Map([
  ['groupplot', 'groupplots'],
  ['polaraxis', 'polar'],
  ['ternaryaxis', 'ternary'],
  ['smithchart', 'smithchart'],
])

/** Shapes of nodes, of TikZ and its libraries. */
export const tikzShapes: readonly string[] =
  'rectangle|coordinate|diamond|ellipse|trapezium|regular polygon|star|isosceles triangle|kite|dart|semicircle|circular sector|cylinder|rounded rectangle|chamfered rectangle|strike out|cross out|cloud|starburst|signal|tape|single arrow|double arrow|rectangle split|ellipse split|rectangle callout|ellipse callout|cloud callout'.split(
    '|',
  )

/** Options of paths and nodes that need no library, except those that other packages have, too. */
export const tikzOptions: readonly string[] =
  'node distance|text width|minimum width|minimum height|minimum size|line width|line cap|line join|rounded corners|inner sep|outer sep|inner xsep|inner ysep|fill opacity|draw opacity|text opacity|bend left|bend right|loop above|loop below|loop left|loop right|densely dashed|loosely dashed|densely dotted|loosely dotted|very thick|ultra thick|very thin|double|double distance|smooth|step|xshift|yshift|xscale|yscale|midway|near start|near end|at start|at end|sloped|remember picture|overlay|baseline|label|pin|pattern|decorate|on grid|auto|swap|cycle|every node'.split(
    '|',
  )

/** Arrow tips of arrows.meta. */
export const arrowTips: readonly string[] =
  'Stealth|Latex|Triangle|Square|Diamond|Ellipse|Kite|Bar|Hooks|Bracket|Straight Barb|Arc Barb|Tee Barb|Rays|Implies'.split(
    '|',
  )

/** Anchors of most nodes. */
export const ANCHORS: readonly string[] =
  'north|south|east|west|center|north east|north west|south east|south west|base|mid|base east|base west|mid east|mid west|text'.split(
    '|',
  )
