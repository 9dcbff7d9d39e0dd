/**
 * The test files that `npm test` leaves to `npm run test:long`, which the build server runs too: with them, `npm test`
 * would take more than a quarter of an hour on two processors. Each group says why it takes long, and which tests of its
 * subject remain in `npm test`.
 */
export const longTests: readonly {
  readonly reason: string
  readonly remaining: string
  readonly files: readonly string[]
}[] = [
  {
    reason: 'Stop servers, PostgreSQL or commands at many steps, and start them again.',
    remaining: 'recovery/kill, push-recovery and full-disk, database/on-postgres, and the unit tests of the backup.',
    files: [
      'packages/texproof/test/bucket/bucket.test.ts',
      'packages/texproof/test/builds/workers.test.ts',
      'packages/texproof/test/cli/move.test.ts',
      'packages/texproof/test/database/cluster.test.ts',
      'packages/texproof/test/database/shutdown.test.ts',
      'packages/texproof/test/recovery/api-crash.test.ts',
      'packages/texproof/test/recovery/backup.test.ts',
      'packages/texproof/test/recovery/disk-faults.test.ts',
      'packages/texproof/test/recovery/faults.test.ts',
      'packages/texproof/test/recovery/races.test.ts',
    ],
  },
  {
    reason: 'Open every page in a browser, for each rule of accessibility or for each of 150 payloads.',
    remaining: 'web/crawl, page-layout and long-names, and the unit tests of templates and Markdown.',
    files: ['packages/texproof/test/web/every-page.test.ts', 'packages/texproof/test/web/injection.test.ts'],
  },
  {
    reason: 'Follow users over many pages, with and without JavaScript, or while connections and servers fail.',
    remaining: 'cli/five-minutes, editor/editor and live, repository/edit-web, and accounts/sign-in.',
    files: [
      'packages/texproof/test/accounts/email-verification.test.ts',
      'packages/texproof/test/accounts/mail-web.test.ts',
      'packages/texproof/test/accounts/passkeys.test.ts',
      'packages/texproof/test/accounts/two-factor.test.ts',
      'packages/texproof/test/editor/connection-loss.test.ts',
      'packages/texproof/test/repository/edit-journeys.test.ts',
      'packages/texproof/test/web/host-journeys.test.ts',
    ],
  },
  {
    reason: 'Compile the papers of the demo data, real papers, or one document for each engine, tool, font or error.',
    remaining: 'compile/corpus-quick, diagnostics-quick, pipeline and read-ahead, and cli/compile.',
    files: [
      'packages/platex/test/compile/environment.test.ts',
      'packages/platex/test/compile/incremental.test.ts',
      'packages/platex/test/compile/kept-fonts.test.ts',
      'packages/platex/test/compile/next-pass.test.ts',
      'packages/platex/test/compile/pictures.test.ts',
      'packages/platex/test/compile/tool-cache.test.ts',
      'packages/platex/test/compile/waiting-engines.test.ts',
      'packages/texproof/test/admin/demo-web.test.ts',
      'packages/texproof/test/builds/error-pages.test.ts',
      'packages/texproof/test/builds/real-documents.test.ts',
      'packages/texproof/test/cli/compile-live.test.ts',
      'packages/texproof/test/cli/demo.test.ts',
      'packages/texproof/test/export/make-package.test.ts',
    ],
  },
  {
    reason: 'Edit long documents with live previews of each engine, in the library and in a browser.',
    remaining: 'compile/read-ahead, editor/editor and collaboration.',
    files: ['packages/platex/test/compile/preview.test.ts', 'packages/texproof/test/editor/live-preview.test.ts'],
  },
  {
    reason: 'Start the development server, and a process for each case of a command.',
    remaining: 'cli/serve and cli/cli, and the tests of import/.',
    files: [
      'packages/texproof/test/cli/import-cli.test.ts',
      'packages/texproof/test/cli/init.test.ts',
      'scripts/dev/dev.test.ts',
    ],
  },
]
