import type { BibEngine, ProjectEngine } from '@texproof/platex'

import { decodeUtf16 } from '../../domain/text/decode-utf16.ts'
import { findDocuments } from '../../papers/detect/find-documents.ts'
import { CliError } from '../cli-error.ts'
import { exitCodes } from '../exit-codes.ts'
import type { DocumentTree } from '../../papers/detect/types.ts'
import type { CompileCommandOptions } from './options.ts'
import type { Source } from './read-source.ts'

/** The document to compile and its settings, chosen by the rules of a push. */
export interface ChosenDocument {
  readonly rootFile: string
  readonly engine: ProjectEngine
  readonly bibliography: BibEngine
  /** Why, for the user. */
  readonly reason: string
}

/**
 * Chooses the document of a source; options override what the files say.
 *
 * @throws CliError 2 if a folder contains no document, or several and none was named, or if a PDF was named.
 */
export async function chooseDocument(source: Source, options: CompileCommandOptions): Promise<ChosenDocument> {
  const tree: DocumentTree = {
    paths: new Set(source.files.keys()),
    readText: (path) => Promise.resolve(readText(source.files.get(path))),
  }
  const found = await findDocuments(tree, { requested: source.rootFile })
  if (found.kind === 'misconfigured') {
    throw new CliError(`${found.file} ${found.message}`, { exitCode: exitCodes.usage })
  }
  const documents = found.kind === 'found' ? found.documents : []
  if (source.rootFile === null && documents.length > 1)
    throw severalDocuments(documents.map(({ rootFile }) => rootFile))
  const rootFile = source.rootFile ?? documents[0]?.rootFile ?? noDocument(source.folder)
  if (isPdf(source.files.get(rootFile))) throw namedPdf(rootFile)
  const document = documents.find((candidate) => candidate.rootFile === rootFile)
  return {
    rootFile,
    engine: options.engine ?? document?.engine ?? 'pdflatex',
    bibliography: options.bibliography ?? document?.bibliography ?? 'bibtex',
    reason: document?.reason ?? `${rootFile} as requested`,
  }
}

function readText(bytes: Uint8Array | undefined): string | null {
  if (bytes === undefined) return null
  return decodeUtf16(bytes) ?? (bytes.includes(0) ? null : Buffer.from(bytes).toString('utf8'))
}

function isPdf(bytes: Uint8Array | undefined): boolean {
  return bytes !== undefined && Buffer.from(bytes.subarray(0, 5)).toString('latin1') === '%PDF-'
}

function namedPdf(rootFile: string): CliError {
  return new CliError(`${rootFile} is a PDF, not a LaTeX source`, {
    exitCode: exitCodes.usage,
    remedy: 'Pass the .tex file of the document, or its directory.',
  })
}

function severalDocuments(rootFiles: readonly string[]): CliError {
  return new CliError(`more than one document found: ${rootFiles.slice(0, 8).join(', ')}`, {
    exitCode: exitCodes.usage,
    remedy: `Pass one of them: texproof compile ${rootFiles[0] ?? 'FILE'}`,
  })
}

function noDocument(folder: string): never {
  throw new CliError(`no LaTeX document in ${folder}`, {
    exitCode: exitCodes.usage,
    remedy: 'A document needs \\documentclass and \\begin{document} in one .tex file.',
  })
}
