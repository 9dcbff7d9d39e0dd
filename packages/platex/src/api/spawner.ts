/** Entry `@texproof/platex/spawner`: starts programs through a small process beside a server. */

export { consumeOutput } from '../sandbox/spawner/program-connection.ts'
export { spawnProgram, startSpawner, type ProgramDescriptor } from '../sandbox/spawner/spawner.ts'
