// The command that `npm run dev` restarts. Under `--watch`, every thread reports its imports with messages that look like
// results of a worker. The reports are turned off, because whole folders are watched.

delete process.env['WATCH_REPORT_DEPENDENCIES']
await import('../../packages/texproof/src/cli/main.ts')
