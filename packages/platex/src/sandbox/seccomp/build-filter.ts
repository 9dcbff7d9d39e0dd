import { readFileSync } from 'node:fs'
import { createHash, randomUUID } from 'node:crypto'
import { access, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  ALLOWED_CALLS,
  ALLOWED_FCNTLS,
  ALLOWED_IOCTLS,
  ALLOWED_PRCTLS,
  FORBIDDEN_CALLS,
  LOCKING_FCNTLS,
  MEMORY_FLAGS,
  NAMESPACE_FLAGS,
  NETWORK_CALLS,
  WHITEOUT_FLAG,
} from './system-call-policy.ts'

/** A processor for which there is a table of system calls. */
export type FilterArchitecture = 'x64' | 'arm64'

interface Instruction {
  readonly code: number
  /** Instructions to skip if the test is true. */
  readonly onTrue: number
  /** Instructions to skip otherwise. */
  readonly onFalse: number
  readonly operand: number
}

const AUDIT_ARCHITECTURE: Readonly<Record<FilterArchitecture, number>> = { x64: 0xc000_003e, arm64: 0xc000_00b7 }

/** Calls of the x32 variant of x86-64 are numbered from here: a second entry point of the same kernel. */
const X32_FIRST_CALL = 0x4000_0000

const EPERM = 1
const EACCES = 13
const ENOTTY = 25
const ENOLCK = 37
const ENOSYS = 38

const LOAD = 0x20
const JUMP_IF_EQUAL = 0x15
const JUMP_IF_AT_LEAST = 0x35
const JUMP_IF_ANY_BIT = 0x45
const RETURN = 0x06

/** Byte offsets in the kernel's `struct seccomp_data`: the low halves of the arguments on a little-endian machine. */
const FIELD = {
  call: 0,
  architecture: 4,
  firstArgument: 16,
  secondArgument: 24,
  fourthArgument: 40,
  fifthArgument: 48,
} as const

const ALLOW = answer(0x7fff_0000)
const KILL = answer(0x8000_0000)

/**
 * Builds the BPF program that bubblewrap loads before it starts a confined program.
 *
 * A call of another architecture kills the process. The program is a plain list of tests: kernels since 5.11 cache
 * which calls are always allowed and skip it for them.
 */
export function buildFilter(architecture: FilterArchitecture): Uint8Array {
  const calls = readSystemCalls(architecture)
  const when = (name: string, body: readonly Instruction[]) => onCall(calls.get(name), body)
  return encode([
    load(FIELD.architecture),
    { code: JUMP_IF_EQUAL, onTrue: 1, onFalse: 0, operand: AUDIT_ARCHITECTURE[architecture] },
    KILL,
    load(FIELD.call),
    ...(architecture === 'x64' ? [jump(JUMP_IF_AT_LEAST, X32_FIRST_CALL), KILL] : []),
    // First, because it is frequent and, unlike calls that are always allowed, not cached.
    ...when('mmap', mappingRule()),
    ...ALLOWED_CALLS.flatMap((name) => when(name, [ALLOW])),
    ...FORBIDDEN_CALLS.flatMap((name) => when(name, [refuse(EPERM)])),
    ...NETWORK_CALLS.flatMap((name) => when(name, [refuse(EACCES)])),
    ...when('clone', [load(FIELD.firstArgument), jump(JUMP_IF_ANY_BIT, NAMESPACE_FLAGS), refuse(EPERM), ALLOW]),
    ...when('fcntl', descriptorRule()),
    ...when('ioctl', [load(FIELD.secondArgument), ...ALLOWED_IOCTLS.flatMap(allowValue), refuse(ENOTTY)]),
    ...when('prctl', [load(FIELD.firstArgument), ...ALLOWED_PRCTLS.flatMap(allowValue), refuse(EPERM)]),
    ...when('renameat2', [load(FIELD.fifthArgument), jump(JUMP_IF_ANY_BIT, WHITEOUT_FLAG), refuse(EPERM), ALLOW]),
    refuse(ENOSYS),
  ])
}

/** Name → number of the calls that the policy names and the processor has; `npm run system-calls` writes the lists. */
export function readSystemCalls(architecture: FilterArchitecture): ReadonlyMap<string, number> {
  const text = readFileSync(new URL(`../../../data/system-calls/${architecture}.txt`, import.meta.url), 'utf8')
  return new Map([...text.matchAll(/^(\d+) (\w+)$/gm)].map(([, number, name = '']) => [name, Number(number)]))
}

function mappingRule(): readonly Instruction[] {
  const { shared, anonymous, hugePages } = MEMORY_FLAGS
  const isShared = [jump(JUMP_IF_ANY_BIT, shared), refuse(EPERM)]
  return [
    load(FIELD.fourthArgument),
    jump(JUMP_IF_ANY_BIT, hugePages),
    refuse(EPERM),
    { code: JUMP_IF_ANY_BIT, onTrue: 0, onFalse: isShared.length, operand: anonymous },
    ...isShared,
    ALLOW,
  ]
}

function descriptorRule(): readonly Instruction[] {
  const refuseLock = (command: number) => [jump(JUMP_IF_EQUAL, command), refuse(ENOLCK)]
  return [
    load(FIELD.secondArgument),
    ...ALLOWED_FCNTLS.flatMap(allowValue),
    ...LOCKING_FCNTLS.flatMap(refuseLock),
    refuse(EPERM),
  ]
}

function onCall(callNumber: number | undefined, body: readonly Instruction[]): readonly Instruction[] {
  if (callNumber === undefined) return []
  return [{ code: JUMP_IF_EQUAL, onTrue: 0, onFalse: body.length, operand: callNumber }, ...body]
}

function allowValue(value: number): readonly Instruction[] {
  return [jump(JUMP_IF_EQUAL, value), ALLOW]
}

/** Runs the next instruction if the test is true, otherwise skips it. */
function jump(code: number, operand: number): Instruction {
  return { code, onTrue: 0, onFalse: 1, operand }
}

function load(offset: number): Instruction {
  return { code: LOAD, onTrue: 0, onFalse: 0, operand: offset }
}

function answer(operand: number): Instruction {
  return { code: RETURN, onTrue: 0, onFalse: 0, operand }
}

function refuse(errno: number): Instruction {
  return answer(0x0005_0000 | errno)
}

/** Encodes instructions as the kernel's `struct sock_filter`: u16 code, u8 jumps, u32 operand. */
function encode(program: readonly Instruction[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(program.length * 8))
  for (const [index, { code, onTrue, onFalse, operand }] of program.entries()) {
    bytes.setUint16(index * 8, code, true)
    bytes.setUint8(index * 8 + 2, onTrue)
    bytes.setUint8(index * 8 + 3, onFalse)
    bytes.setUint32(index * 8 + 4, operand, true)
  }
  return new Uint8Array(bytes.buffer)
}

/**
 * Writes the filter of this processor below `cacheDir` if it is missing, and returns its path.
 *
 * Open the file again for each run: bubblewrap reads to its end, and inherited descriptors share one position.
 */
export async function prepareFilterFile(cacheDir: string, architecture: FilterArchitecture): Promise<string> {
  const filter = buildFilter(architecture)
  const name = createHash('sha256').update(filter).digest('hex').slice(0, 16)
  const path = join(cacheDir, `filter-${name}.bpf`)
  const isThere = await access(path).then(
    () => true,
    () => false,
  )
  if (!isThere) {
    // Also two sandboxes of one process may write it at the same time.
    const draft = `${path}.draft-${randomUUID()}`
    await writeFile(draft, filter, { mode: 0o444 })
    await rename(draft, path)
  }
  return path
}
