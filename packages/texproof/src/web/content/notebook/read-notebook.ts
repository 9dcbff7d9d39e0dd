import { z } from 'zod'

/** Maximum number of cells that are shown. */
const MAX_CELLS = 500
/** Maximum number of outputs of a cell that are shown. */
const MAX_OUTPUTS = 50

/** Text is a string or its lines; other values count as absent. */
const text = z.union([z.string(), z.array(z.string()).transform((lines) => lines.join(''))]).catch('')
const count = z.number().int().nonnegative().nullable().catch(null)
/** Outputs by MIME type. JSON values and other types that are not shown become empty text. */
const bundle = z.record(z.string(), text).catch({})

const output = z.discriminatedUnion('output_type', [
  z.object({ output_type: z.literal('stream'), name: z.string().catch('stdout'), text }),
  z.object({ output_type: z.literal('display_data'), data: bundle }),
  z.object({ output_type: z.literal('execute_result'), data: bundle, execution_count: count }),
  z.object({ output_type: z.literal('error'), ename: text, evalue: text, traceback: z.array(z.string()).catch([]) }),
])

const cell = z.discriminatedUnion('cell_type', [
  z.object({ cell_type: z.literal('markdown'), source: text, attachments: z.record(z.string(), bundle).catch({}) }),
  z.object({ cell_type: z.literal('raw'), source: text }),
  z.object({
    cell_type: z.literal('code'),
    source: text,
    execution_count: count,
    outputs: z
      .array(z.unknown())
      .catch([])
      .transform((outputs) => ({
        shown: outputs.slice(0, MAX_OUTPUTS).flatMap((each) => output.safeParse(each).data ?? []),
        count: outputs.length,
      })),
  }),
])

const notebook = z.object({
  nbformat: z.literal(4),
  metadata: z
    .object({
      kernelspec: z.object({ language: z.string().catch('') }).catch({ language: '' }),
      language_info: z.object({ name: z.string().catch('') }).catch({ name: '' }),
    })
    .catch({ kernelspec: { language: '' }, language_info: { name: '' } }),
  cells: z.array(z.unknown()),
})

export type NotebookCell = z.infer<typeof cell>
export type NotebookOutput = z.infer<typeof output>

/** The part of a notebook that is shown. */
export interface Notebook {
  /** Language of the code in lower case, `''` if unknown. */
  readonly language: string
  readonly cells: readonly NotebookCell[]
  /** Cells of the whole notebook. */
  readonly cellCount: number
}

/** Parses a Jupyter notebook of format 4; null for other text. Invalid cells are omitted. */
export function readNotebook(source: string): Notebook | null {
  const outcome = notebook.safeParse(parseJson(source))
  if (!outcome.success) return null
  const { metadata, cells } = outcome.data
  return {
    language: (metadata.language_info.name || metadata.kernelspec.language).toLowerCase(),
    cells: cells.slice(0, MAX_CELLS).flatMap((each) => cell.safeParse(each).data ?? []),
    cellCount: cells.length,
  }
}

function parseJson(source: string): unknown {
  try {
    return JSON.parse(source)
  } catch {
    // Not JSON: the page shows the source.
    return null
  }
}
