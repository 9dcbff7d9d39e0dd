import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { buildFilter, prepareFilterFile, readSystemCalls, type FilterArchitecture } from './build-filter.ts'
import { ALLOWED_CALLS, FILTERED_CALLS, FORBIDDEN_CALLS, NETWORK_CALLS } from './system-call-policy.ts'

const ALLOW = 0x7fff_0000
const KILL = 0x8000_0000
const refuse = (errno: number) => 0x0005_0000 | errno

const PLATFORMS = [
  { architecture: 'x64', auditArch: 0xc000_003e },
  { architecture: 'arm64', auditArch: 0xc000_00b7 },
] as const

/** Runs the filter like the kernel on one `struct seccomp_data`. */
function evaluate(architecture: FilterArchitecture, call: number, auditArch: number, args: readonly number[]): number {
  const bytes = buildFilter(architecture)
  const program = new DataView(bytes.buffer)
  const field = new Map([
    [0, call],
    [4, auditArch],
    [16, args[0] ?? 0],
    [24, args[1] ?? 0],
    [40, args[3] ?? 0],
    [48, args[4] ?? 0],
  ])
  let accumulator = 0
  for (let at = 0; at < bytes.length; at += 8) {
    const code = program.getUint16(at, true)
    const operand = program.getUint32(at + 4, true)
    if (code === 0x06) return operand
    if (code === 0x20) accumulator = field.get(operand) ?? 0
    const holds =
      code === 0x15 ? accumulator === operand : code === 0x35 ? accumulator >= operand : (accumulator & operand) !== 0
    if (code !== 0x20) at += 8 * program.getUint8(at + (holds ? 2 : 3))
  }
  throw new Error('the program ended without an answer')
}

for (const { architecture, auditArch } of PLATFORMS) {
  const calls = readSystemCalls(architecture)
  const answers = (names: readonly string[]) =>
    names.filter((name) => calls.has(name)).map((name) => evaluate(architecture, calls.get(name) ?? -1, auditArch, []))

  test(`buildFilter lets every allowed call pass on ${architecture}`, () => {
    assert.deepEqual([...new Set(answers(ALLOWED_CALLS))], [ALLOW])
  })

  test(`buildFilter refuses every forbidden call on ${architecture}`, () => {
    assert.deepEqual([...new Set(answers(FORBIDDEN_CALLS))], [refuse(1)])
  })

  test(`buildFilter refuses the network on ${architecture}`, () => {
    assert.deepEqual([...new Set(answers(NETWORK_CALLS))], [refuse(13)])
  })

  test(`buildFilter answers ENOSYS to a call without a rule on ${architecture}`, () => {
    assert.equal(evaluate(architecture, 9999, auditArch, []), refuse(38))
  })

  test(`buildFilter kills a call of another architecture on ${architecture}`, () => {
    assert.equal(evaluate(architecture, 0, 0x4000_0003, []), KILL)
  })

  test(`buildFilter lets clone create threads but no namespaces on ${architecture}`, () => {
    const clone = calls.get('clone') ?? -1
    const flags = [0x3d_0f00, 0x11, 0x1000_0000, 0x2_0000, 0x4000_0000]
    assert.deepEqual(
      flags.map((flag) => evaluate(architecture, clone, auditArch, [flag])),
      [ALLOW, ALLOW, refuse(1), refuse(1), refuse(1)],
    )
  })

  test(`buildFilter lets mmap allocate private memory and map files, but neither shared memory nor huge pages on ${architecture}`, () => {
    const flags = { private: 0x22, sharedFile: 0x01, shared: 0x21, sharedValidated: 0x23, huge: 0x4_0022 }
    const answered = Object.entries(flags).map(([name, flag]) => [
      name,
      evaluate(architecture, calls.get('mmap') ?? -1, auditArch, [0, 4096, 3, flag]),
    ])
    assert.deepEqual(Object.fromEntries(answered), {
      private: ALLOW,
      sharedFile: ALLOW,
      shared: refuse(1),
      sharedValidated: refuse(1),
      huge: refuse(1),
    })
  })

  test(`buildFilter lets fcntl copy descriptors but not lock ranges, lease files or enlarge pipes on ${architecture}`, () => {
    const commands = {
      F_DUPFD: 0,
      F_SETFD: 2,
      F_SETFL: 4,
      F_DUPFD_CLOEXEC: 1030,
      F_SETLK: 6,
      F_SETLKW: 7,
      F_OFD_SETLK: 37,
      F_OFD_SETLKW: 38,
      F_SETLEASE: 1024,
      F_NOTIFY: 1026,
      F_SETPIPE_SZ: 1031,
    }
    const answered = Object.entries(commands).map(([name, command]) => [
      name,
      evaluate(architecture, calls.get('fcntl') ?? -1, auditArch, [3, command]),
    ])
    assert.deepEqual(Object.fromEntries(answered), {
      F_DUPFD: ALLOW,
      F_SETFD: ALLOW,
      F_SETFL: ALLOW,
      F_DUPFD_CLOEXEC: ALLOW,
      F_SETLK: refuse(37),
      F_SETLKW: refuse(37),
      F_OFD_SETLK: refuse(37),
      F_OFD_SETLKW: refuse(37),
      F_SETLEASE: refuse(1),
      F_NOTIFY: refuse(1),
      F_SETPIPE_SZ: refuse(1),
    })
  })

  test(`buildFilter lets renameat2 keep or exchange files but not leave a device on ${architecture}`, () => {
    const flags = { none: 0, noReplace: 1, exchange: 2, whiteout: 4, noReplaceWhiteout: 5 }
    const answered = Object.entries(flags).map(([name, flag]) => [
      name,
      evaluate(architecture, calls.get('renameat2') ?? -1, auditArch, [0, 0, 0, 0, flag]),
    ])
    assert.deepEqual(Object.fromEntries(answered), {
      none: ALLOW,
      noReplace: ALLOW,
      exchange: ALLOW,
      whiteout: refuse(1),
      noReplaceWhiteout: refuse(1),
    })
  })

  test(`buildFilter lets ioctl query a terminal but not push input into it on ${architecture}`, () => {
    const ioctl = calls.get('ioctl') ?? -1
    assert.deepEqual(
      [0x5401, 0x5412].map((request) => evaluate(architecture, ioctl, auditArch, [1, request])),
      [ALLOW, refuse(25)],
    )
  })
}

test('buildFilter kills calls of the x32 variant', () => {
  assert.equal(evaluate('x64', 0x4000_0000, 0xc000_003e, []), KILL)
})

test('the lists of system calls contain the calls of the policy that each processor has', () => {
  const known = (['x64', 'arm64'] as const).map((architecture) => readSystemCalls(architecture))
  const samples = ['read', 'openat', 'mmap', 'clone', 'socket', 'open'].map((name) =>
    known.map((calls) => calls.get(name)),
  )
  assert.deepEqual(
    [known.map(({ size }) => size), samples],
    [
      [254, 221],
      [
        [0, 63],
        [257, 56],
        [9, 222],
        [56, 220],
        [41, 198],
        [2, undefined],
      ],
    ],
  )
})

test('the policy has one action for each call', () => {
  const names = [...ALLOWED_CALLS, ...FORBIDDEN_CALLS, ...NETWORK_CALLS, ...FILTERED_CALLS]
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  )
})

test('prepareFilterFile called several times at once writes one file', async (context) => {
  const dir = await mkdtemp(join(tmpdir(), 'filter-'))
  context.after(() => rm(dir, { recursive: true }))
  const paths = await Promise.all(Array.from({ length: 8 }, () => prepareFilterFile(dir, 'x64')))
  assert.deepEqual(await readdir(dir), [basename(paths[0] ?? '')])
  assert.equal(new Set(paths).size, 1)
})
