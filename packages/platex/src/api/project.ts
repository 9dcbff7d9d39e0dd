/**
 * The entry point for hosts of whole projects: any root file, no limits of the HTTP API, one sandbox for all compiles.
 */
import type { CompileJob, CompileOutcome, LocalOutcome } from '../compile/job.ts'
import type { ProjectEngine, SandboxMode } from '../base/types.ts'
import { keepDefaultEngineWaiting } from '../compile/passes/waiting-engine.ts'
import type { LimitEnforcement, WaitingStatus } from '../sandbox/types.ts'
import type { SandboxWeakness } from '../sandbox/types.ts'
import { listInstalledEngines } from '../engine/choose-engine.ts'
import { describePdf, type PdfDescription } from '../sandbox/pictures/describe-pdf.ts'
import {
  findMissingRenderer,
  renderFigure,
  type FigureKind,
  type FigureOutcome,
  type FigureRequest,
} from '../sandbox/pictures/render-figure.ts'
import { renderPage } from '../sandbox/pictures/render-page.ts'
import type { PageRequest } from '../sandbox/pictures/render-page.ts'
import { preview, type PreviewEvent, type PreviewRequest } from '../compile/preview/preview.ts'
import { runPipeline } from '../compile/run-pipeline.ts'
import {
  compileAndReadAhead,
  compileInSession,
  type DocumentToReadAhead,
  type SessionJob,
} from '../compile/sessions/compile-in-session.ts'
import { openSandbox } from '../sandbox/open-sandbox.ts'
import { openInventory } from '../inventory/open-inventory.ts'
import type { PackageAnswer, TexInventory } from '../inventory/types.ts'

export { svgInclusion } from '../compile/facts/svg-inclusion.ts'
export { parseCompileResult } from '../client/parse-compile-response.ts'
export { searchPathsOf } from '../compile/latexmkrc/search-paths-of.ts'
export { separateBuildProducts } from '../compile/separate-build-products.ts'
export type { DocumentToReadAhead } from '../compile/sessions/compile-in-session.ts'
export type { CompileJob, CompileOutcome, ConfirmingPdf } from '../compile/job.ts'
export type { PreviewEvent, PreviewRequest } from '../compile/preview/preview.ts'
export type { SourceLine } from '../compile/preview/find-page-of-line.ts'
export type { LimitEnforcement, WaitingStatus } from '../sandbox/types.ts'
export type { PdfDescription } from '../sandbox/pictures/describe-pdf.ts'
export type { FigureKind, FigureOutcome, FigureRequest } from '../sandbox/pictures/render-figure.ts'
export type { PageRequest } from '../sandbox/pictures/render-page.ts'
export type { BiblatexPair, PackageAnswer, TexProgram, TexInventory } from '../inventory/types.ts'
export type { CompileProgress } from '../base/types.ts'

/** A compiler for projects. It owns one sandbox. */
export interface ProjectCompiler {
  /**
   * Compiles one document; LaTeX failures are values of the outcome. Engines read `document` ahead for its next compile,
   * which must have the same time and the warm-start files of this one.
   *
   * @throws PlatexError `NO_ENGINE` if neither the engine nor Tectonic is installed; the reason of the signal on abort.
   */
  compile(job: Omit<CompileJob, 'sandbox' | 'document'>, document?: DocumentToReadAhead): Promise<CompileOutcome>
  /**
   * Compiles a document repeatedly: each compile starts from the auxiliary files of the last one, and engines read the
   * next one ahead. Sessions of different owners share nothing.
   */
  compileInSession(
    job: Omit<SessionJob, 'sandbox'>,
    session: { readonly owner: string; readonly key: string },
  ): Promise<LocalOutcome>
  /**
   * Previews a document that is being edited: base files and an overlay of changed ones. A newer request of the same
   * session cancels an older one.
   *
   * @throws PlatexError `NO_ENGINE` if neither the engine nor Tectonic is installed.
   */
  preview(request: PreviewRequest): AsyncGenerator<PreviewEvent, void, undefined>
  /** Renders one page of a PDF as PNG; null without poppler, if the page does not exist, or on a timeout. */
  renderPage(request: PageRequest): Promise<Uint8Array | null>
  /** Renders the first page of a figure as PNG. */
  renderFigure(request: FigureRequest): Promise<FigureOutcome>
  /** The name of a program that figures of a kind require and this machine lacks; null if all are installed. */
  findMissingRenderer(kind: FigureKind): string | null
  /** The PDF of an EPS or SVG picture that a compile of the tenant converted; null if it is not cached. */
  findConvertedPicture(picture: {
    readonly kind: 'eps' | 'svg'
    readonly bytes: Uint8Array
    readonly tenant?: string | undefined
  }): Promise<Uint8Array | null>
  /** Fonts, page sizes, text and images of a PDF, as far as poppler is installed. */
  describePdf(pdf: Uint8Array): Promise<PdfDescription>
  readonly sandbox: {
    readonly kind: 'bubblewrap' | 'none'
    readonly weakness: SandboxWeakness | null
    readonly limits: LimitEnforcement
  }
  /** Installed engines, in order of preference. */
  engines(): readonly ProjectEngine[]
  /** The TeX installation of this machine, cached for ten minutes. */
  inventory(): Promise<TexInventory>
  /** Whether documents can load the package or class of this name. */
  findPackage(name: string): Promise<PackageAnswer>
  /**
   * Indexes the fonts for LuaTeX now instead of in the first compile that needs them, which takes half a minute once
   * per machine, and starts an engine that waits for the first document.
   */
  prepare(): Promise<void>
  /** Engines that wait for documents. */
  waitingStatus(): WaitingStatus
  /**
   * Resolves when the fonts that LuaLaTeX had to parse are in the cache, so that later compiles find them. `close` stops
   * this work.
   */
  whenFontsKept(): Promise<void>
  /** Stops the waiting engines and the index of fonts. Abort running compiles first. */
  close(): Promise<void>
}

/** Opens the sandbox once; `required` rejects if the machine does not support one. */
export async function openProjectCompiler(options: {
  sandbox: SandboxMode
  cacheDir?: string
  /** Maximum number of engines that wait for the next documents. @default 0 */
  waitingEngines?: number
}): Promise<ProjectCompiler> {
  const { cacheDir, waitingEngines: maxWaiting = 0 } = options
  const sandbox = await openSandbox(options.sandbox, { ...(cacheDir === undefined ? {} : { cacheDir }), maxWaiting })
  return {
    compile: async (asked, document) => {
      const job = { ...asked, waitsForFonts: true, sandbox: await sandbox.refresh() }
      return document === undefined ? runPipeline(job) : compileAndReadAhead(job, document)
    },
    compileInSession: async (job, session) =>
      compileInSession({ ...job, waitsForFonts: true, sandbox: await sandbox.refresh() }, session),
    preview: (request) => preview(request, () => sandbox.refresh()),
    renderPage: (request) => renderPage(sandbox.latest(), request),
    renderFigure: (request) => renderFigure(sandbox.latest(), request),
    findMissingRenderer: (kind) => findMissingRenderer(kind, sandbox.latest()),
    findConvertedPicture: (picture) => sandbox.latest().findConvertedPicture(picture),
    describePdf: (pdf) => describePdf(sandbox.latest(), pdf),
    sandbox: { kind: sandbox.kind, weakness: sandbox.weakness, limits: sandbox.limits },
    engines: () => listInstalledEngines(sandbox.latest()),
    ...openInventory({
      ask: (program, args) => sandbox.latest().ask(program, args),
      has: (program) => sandbox.latest().has(program),
    }),
    prepare: async () => {
      void keepDefaultEngineWaiting(sandbox, { synctex: true })
      await sandbox.latest().prepareFonts()
    },
    whenFontsKept: () => sandbox.whenFontsKept(),
    waitingStatus: () => sandbox.waitingStatus(),
    close: () => sandbox.close(),
  }
}
