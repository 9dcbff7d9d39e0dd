import { listDocuments } from './list-documents.ts'
import { testDocuments } from './test-documents.ts'

testDocuments({ engine: 'pdflatex', forms: ['whole', 'foreign'], documents: listDocuments() })
