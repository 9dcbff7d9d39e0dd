/**
 * Plans glossaries and acronyms like `makeglossaries`, from the `.aux`: the package writes one `\@newglossary` line for
 * each list, and the name of its style file.
 *
 * A `.glo` without such lines is a change history of doc.
 */
import { posix } from 'node:path'
import { decodeLine } from '../../log/decode-line.ts'
import { digestOf, latin1 } from '../canonical-digest.ts'
import { digestFiles } from './digest-files.ts'
import { NO_DEMAND, type ToolContext, type ToolDemand, type ToolPlan, type UnmetDemand } from './types.ts'
import { xindyLanguage } from './xindy-language.ts'

interface GlossaryOrder {
  /** Name of the list: `main`, `acronym`. */
  readonly type: string
  readonly transcript: string
  readonly output: string
  readonly raw: string
}

export async function planGlossaries(context: ToolContext): Promise<ToolDemand> {
  const { workspace, recorder } = context
  const aux = await workspace.read(workspace.outputPath('aux'))
  if (aux === null || !recorder.outputs.has(workspace.outputPath('aux'))) return NO_DEMAND
  const text = latin1(aux)
  const [, named] = /^\\@istfilename\{([^{}]+)\}/m.exec(text) ?? []
  if (named === undefined) return planResources(text, context)
  const style = decodeLine(named)
  const isXindy = style.endsWith('.xdy')
  const tool = isXindy ? 'xindy' : 'makeindex'
  const orders = await filled(listOrders(text), context)
  if (orders.length === 0) return planResources(text, context)
  if (!workspace.hasTool(tool)) return unmet(`${tool} is not available here, so the glossaries stay empty`)
  const sortingOf = ({ type }: GlossaryOrder): readonly string[] =>
    isXindy ? xindySwitches(text, { style, type }) : makeindexSwitches(text, style)
  // TeX writes the style from the settings in the preamble.
  const styleFile = await digestFiles(workspace, [posix.join(workspace.folder, style)])
  const planOf = (order: FilledOrder) => planOne(order, { tool, sorting: sortingOf(order), styleFile, context })
  return { plans: orders.map(planOf), unmet: [] }
}

/** No package is suggested: bib2gls requires Java, which compiles cannot run. */
const WITHOUT_BIB2GLS = 'bib2gls cannot run in the sandbox, so the glossaries stay empty'

/** glossaries-extra with bib2gls lists its resources instead. */
async function planResources(auxText: string, { workspace, recorder }: ToolContext): Promise<ToolDemand> {
  const names = [...auxText.matchAll(/^\\glsxtr@resource\{.*\}\{([^{}]+)\}/gm)].map(([, name]) =>
    decodeLine(name ?? ''),
  )
  if (names.length === 0) return NO_DEMAND
  if (!workspace.hasTool('bib2gls')) {
    const missing = names.map((name) => posix.join(workspace.folder, `${name}.glstex`))
    const isGiven = missing.every((path) => recorder.inputs.has(path))
    return isGiven ? NO_DEMAND : unmet(`${WITHOUT_BIB2GLS}: add ${missing.join(', ')} to the project, or use makeindex`)
  }
  return {
    plans: [
      {
        tool: 'bib2gls',
        args: [workspace.jobName],
        subject: workspace.outputPath('aux'),
        inputDigest: digestOf(auxText.replace(/^\\(?!glsxtr).*\n/gm, '')),
        outputs: names.map((name) => posix.join(workspace.folder, `${name}.glstex`)),
        transcript: workspace.outputPath('glg'),
        reads: [],
        prepared: new Map(),
      },
    ],
    unmet: [],
  }
}

interface FilledOrder extends GlossaryOrder {
  readonly content: Uint8Array
}

async function filled(orders: readonly GlossaryOrder[], { workspace }: ToolContext): Promise<readonly FilledOrder[]> {
  const found: FilledOrder[] = []
  for (const order of orders) {
    const content = await workspace.read(workspace.outputPath(order.raw))
    if (content !== null && content.length > 0) found.push({ ...order, content })
  }
  return found
}

/** `\@newglossary{main}{glg}{gls}{glo}`. The ending can contain a hyphen: `gls-abr`. */
function listOrders(auxText: string): readonly GlossaryOrder[] {
  const lines = auxText.matchAll(/^\\@newglossary\{([^{}]*)\}\{([\w-]+)\}\{([\w-]+)\}\{([\w-]+)\}/gm)
  return [...lines].map(([, type = '', transcript = '', output = '', raw = '']) => ({ type, transcript, output, raw }))
}

function makeindexSwitches(auxText: string, style: string): readonly string[] {
  return ['-s', style, ...(/^\\@glsorder\{letter\}/m.test(auxText) ? ['-l'] : [])]
}

function xindySwitches(auxText: string, { style, type }: { style: string; type: string }): readonly string[] {
  const language = valueOf(auxText, '@xdylanguage', type) ?? 'english'
  const codePage = valueOf(auxText, '@gls@codepage', type) ?? 'utf8'
  return [...xindyLanguage(language, codePage), '-I', 'xindy', '-M', style.slice(0, -'.xdy'.length)]
}

/** Value of a command such as `\@xdylanguage{main}{ngerman}` for a list, otherwise for the main list. */
function valueOf(auxText: string, command: string, type: string): string | undefined {
  const lines = auxText.matchAll(/^\\(@xdylanguage|@gls@codepage)\{([^{}]+)\}\{([\w-]+)\}/gm)
  const values = new Map([...lines].filter(([, name]) => name === command).map(([, , list, value]) => [list, value]))
  return values.get(type) ?? values.get('main')
}

/** Sorting and format of a glossary. */
interface Sorting {
  readonly tool: 'makeindex' | 'xindy'
  readonly sorting: readonly string[]
  readonly styleFile: { readonly digest: string; readonly found: readonly string[] }
}

function planOne(
  order: FilledOrder,
  { tool, sorting, styleFile, context }: Sorting & { context: ToolContext },
): ToolPlan {
  const { workspace } = context
  const local = (extension: string) => `${workspace.jobName}.${extension}`
  return {
    tool,
    args: [...sorting, '-t', local(order.transcript), '-o', local(order.output), local(order.raw)],
    subject: workspace.outputPath(order.raw),
    inputDigest: digestOf(`${digestOf(order.content)} ${styleFile.digest} ${sorting.join(' ')}`),
    outputs: [workspace.outputPath(order.output)],
    transcript: workspace.outputPath(order.transcript),
    reads: styleFile.found,
    prepared: new Map(),
  }
}

function unmet(message: string): ToolDemand {
  const demand: UnmetDemand = { severity: 'warning', source: 'latex', message }
  return { plans: [], unmet: [demand] }
}
