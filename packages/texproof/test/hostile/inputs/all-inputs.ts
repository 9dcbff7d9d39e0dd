import type { HostileInput } from '../hostile-input.ts'
import { bibliographyInputs } from './bibliography-inputs.ts'
import { changeInputs } from './change-inputs.ts'
import { documentInputs } from './document-inputs.ts'
import { figureInputs } from './figure-inputs.ts'
import { formInputs } from './form-inputs.ts'
import { liveInputs } from './live-inputs.ts'
import { markdownInputs } from './markdown-inputs.ts'
import { notebookInputs } from './notebook-inputs.ts'
import { paperInputs, webhookInputs } from './paper-inputs.ts'
import { sourceInputs } from './source-inputs.ts'
import { tableInputs } from './table-inputs.ts'
import { treeInputs } from './tree-inputs.ts'

/** Every input of the suite. */
export const ALL_INPUTS: readonly HostileInput[] = [
  ...markdownInputs,
  ...notebookInputs,
  ...tableInputs,
  ...sourceInputs,
  ...changeInputs,
  ...documentInputs,
  ...treeInputs,
  ...figureInputs,
  ...bibliographyInputs,
  ...formInputs,
  ...paperInputs,
  ...webhookInputs,
  ...liveInputs,
]
