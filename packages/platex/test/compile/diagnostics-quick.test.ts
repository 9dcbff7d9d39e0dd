import { fileDocuments } from '../diagnostics/documents/files.ts'
import { explainedFiles } from '../diagnostics/explained/files.ts'
import { explainedLate } from '../diagnostics/explained/late.ts'
import { readDocuments } from '../diagnostics/list-documents.ts'
import { testDocuments } from '../diagnostics/test-documents.ts'
import { testExplanations } from '../diagnostics/test-explanations.ts'

// The other documents, engines and forms of logs: `npm run test:diagnostics`.
testDocuments({ engine: 'pdflatex', forms: ['whole'], documents: [...fileDocuments, ...readDocuments('braces')] })
const isInBiber = ({ title }: { readonly title: string }): boolean => title.endsWith('in biber')
const quickFiles = explainedFiles.filter(({ engine }) => engine === 'pdflatex').slice(0, 20)
// A run of biber takes seconds, so one shows what all have in common.
testExplanations([
  ...quickFiles.filter((document) => !isInBiber(document)),
  ...quickFiles.filter(isInBiber).slice(0, 1),
  ...explainedLate.filter(({ engine }) => engine === 'pdflatex').slice(0, 12),
])
