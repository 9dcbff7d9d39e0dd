import { listDocuments } from './list-documents.ts'
import { testDocuments } from './test-documents.ts'

testDocuments({ engine: 'xelatex', forms: ['whole', 'foreign'], documents: listDocuments() })
