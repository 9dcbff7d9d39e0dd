// What `npm run dev` starts over and over: the command itself. Under `--watch` every thread would report what it imports
// by the very messages that a worker answers with; the folders are watched as a whole, so nobody needs to be told.

delete process.env['WATCH_REPORT_DEPENDENCIES']
await import('../../packages/texproof/src/cli/main.ts')
