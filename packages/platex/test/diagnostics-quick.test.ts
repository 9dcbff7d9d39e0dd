import { braceDocuments } from './diagnostics/documents/braces.ts'
import { fileDocuments } from './diagnostics/documents/files.ts'
import { testDocuments } from './diagnostics/test-documents.ts'

// The other documents, engines and forms of logs: `npm run test:diagnostics`.
testDocuments({ engine: 'pdflatex', forms: ['whole'], documents: [...fileDocuments, ...braceDocuments] })
