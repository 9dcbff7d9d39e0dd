import { posix } from 'node:path'
import { canonicalBcf, digestOf, latin1 } from '../canonical-digest.ts'
import { digestFiles } from './digest-files.ts'
import { NO_DEMAND, type ToolContext, type ToolDemand } from './types.ts'

/**
 * Plans biber if the pass wrote a biblatex control file, which only biber can read, whatever the caller prefers.
 *
 * A job with a `.bbl` and without the databases, as arXiv requires, keeps its `.bbl`.
 */
export async function planBiber(context: ToolContext): Promise<ToolDemand> {
  const { workspace, recorder } = context
  const control = workspace.outputPath('bcf')
  if (!recorder.outputs.has(control)) return NO_DEMAND
  const bytes = await workspace.read(control)
  if (bytes === null || bytes.length === 0) return NO_DEMAND
  const text = Buffer.from(bytes).toString('utf8')
  const output = workspace.outputPath('bbl')
  const databases = await digestFiles(workspace, listDatabases(text, context))
  if (databases.found.length === 0 && workspace.givenFiles.has(output)) return NO_DEMAND
  const configuration = await digestFiles(workspace, [posix.join(workspace.folder, 'biber.conf')])
  if (context.bibliography === 'none') return unmet('warning', 'bibliography: none, but the document asks for biber')
  if (!workspace.hasTool('biber')) {
    return unmet('error', 'biber is not available here, and this document requires it for the bibliography')
  }
  const options = optionsOf(workspace.toolCommands.biber ?? [])
  const input = [canonicalBcf(latin1(bytes)), databases.digest, configuration.digest, ...options]
  return {
    plans: [
      {
        tool: 'biber',
        args: [...options, '--onlylog', workspace.jobName],
        subject: control,
        inputDigest: digestOf(input.join('\n')),
        outputs: [output],
        transcript: workspace.outputPath('blg'),
        reads: [...databases.found, ...configuration.found],
        prepared: new Map(),
      },
    ],
    unmet: [],
  }
}

/** The document controls these options: only those for the order and the letters of the bibliography are accepted. */
function optionsOf(command: readonly string[]): readonly string[] {
  return command.flatMap((word, at) => {
    const locale = /^(?:-l|--sortlocale)$/.test(word) ? command[at + 1] : /^(?:-l|--sortlocale)=(.*)$/.exec(word)?.[1]
    if (locale !== undefined && /^[A-Za-z][\w@.-]{0,60}$/.test(locale)) return [`--sortlocale=${locale}`]
    return /^--output-safechars(?:et=(?:base|full|null))?$/.test(word) ? [word] : []
  })
}

function listDatabases(control: string, { workspace, recorder }: ToolContext): readonly string[] {
  const sources = control.matchAll(/<bcf:datasource type="file"[^>]*>([^<]+)<\/bcf:datasource>/g)
  const names = [...sources].map(([, name]) => unescapeXml(name ?? ''))
  const located = names.flatMap((name) => workspace.locate(name, 'BIBINPUTS') ?? [])
  // With the option `glob`, biber reads some of these files.
  const endings = names.filter((name) => /[*?[{]/.test(name)).map((name) => /\.\w+$/.exec(name)?.[0] ?? '.bib')
  const files = [...workspace.givenFiles, ...recorder.outputs].sort()
  const possible = files.filter((path) => endings.some((ending) => path.endsWith(ending)))
  return [...new Set([...located, ...possible])]
}

function unescapeXml(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

function unmet(severity: 'error' | 'warning', message: string): ToolDemand {
  return { plans: [], unmet: [{ severity, source: 'biber', message }] }
}
