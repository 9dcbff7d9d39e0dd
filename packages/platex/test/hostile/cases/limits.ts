import { luaRequest, NATIVE_PROOF, nativeRequest, systemCall } from '../documents.ts'
import type { HostileCase, HostileRequest } from '../hostile-case.ts'
import { compileNativeHelper } from '../native-helper.ts'

/** The report of an attack that exceeded the limit by more than a tenth: attacks report every 16 MiB, or 100 files. */
const TOO_FAR = { disk: 'reached-288;', entries: 'made-4500;', memory: 'reached-1696;' } as const

interface LimitAttack {
  readonly name: string
  readonly limit: keyof typeof TOO_FAR
  readonly request: HostileRequest
  /** Refused at the first step, so that there is no report. */
  readonly isRefused?: true
  readonly isQuick?: true
}

/** The first run of LuaTeX on a machine also indexes its fonts. */
const LUA_TIMEOUT_MS = 60_000

const helper = compileNativeHelper()

/** biber starts the native helper. */
function withHelper(attack: string): HostileRequest {
  const request = nativeRequest(`chmod 0755, "helper"; system("./helper", "${attack}")`)
  return { ...request, files: [...(request.files ?? []), ['helper', helper ?? '']] }
}

const FALLOCATE = process.arch === 'arm64' ? 47 : 285
const SETXATTR = process.arch === 'arm64' ? 5 : 188

const perlAttacks: readonly LimitAttack[] = [
  {
    name: 'biber-disk-allocated',
    limit: 'disk',
    request: nativeRequest(
      `for my $n (1 .. 200) { open $f[$n], ">", "f"; unlink "f"; last if syscall(${FALLOCATE}, fileno $f[$n], 0, 0, 16 << 20) != 0; ` +
        'printf "reached-%d;\\n", $n * 16 } sleep 2',
    ),
  },
  {
    name: 'biber-disk-scratch',
    limit: 'disk',
    request: nativeRequest(
      'for my $n (1 .. 200) { open my $f, ">", "/tmp/f$n"; for (1 .. 16) { last if !syswrite $f, "x" x (1 << 20) } ' +
        'printf "reached-%d;\\n", $n * 16 if -s $f == 16 << 20 } sleep 2',
    ),
  },
  {
    name: 'biber-disk-entries',
    limit: 'entries',
    request: nativeRequest(
      'for my $n (1 .. 1e5) { last if !open(my $f, ">", "f$n"); print "made-$n;\\n" if $n % 100 == 0 } sleep 2',
    ),
  },
  {
    name: 'biber-disk-attributes',
    limit: 'disk',
    isRefused: true,
    request: nativeRequest(
      `print "reached-288;" if ${systemCall(`${SETXATTR}, "payload.pl", "user.n", "x", 1, 0`)} == 0`,
    ),
  },
  {
    name: 'biber-memory-processes',
    limit: 'memory',
    request: nativeRequest(
      'pipe R, W; for (1 .. 4) { next if fork; my @x; while (1) { push @x, "x" x (16 << 20); syswrite W, "x" } } ' +
        'my $n = 0; while (sysread R, my $x, 1) { printf "reached-%d;\\n", ++$n * 16 }',
    ),
  },
  {
    name: 'lua-disk-nameless',
    limit: 'disk',
    request: luaRequest(
      'local held, megabyte = {}, string.rep("x", 1024 * 1024)\n' +
        'for n = 1, 200 do local f = io.open("f" .. n, "w") os.remove("f" .. n) held[n] = f\n' +
        'for i = 1, 16 do assert(f:write(megabyte)) end assert(f:flush())\n' +
        'io.stdout:write("reached-" .. n * 16 .. ";\\n") io.stdout:flush() end',
      { timeout: LUA_TIMEOUT_MS },
    ),
  },
  {
    name: 'lua-disk-sparse',
    limit: 'disk',
    request: luaRequest(
      'for n = 1, 500 do local f = assert(io.open("f" .. n, "w"))\n' +
        'for i = 1, 4096 do f:seek("set", i * 8192) assert(f:write("x")) end assert(f:flush()) f:close()\n' +
        'io.stdout:write("reached-" .. n * 16 .. ";\\n") io.stdout:flush() end',
      { timeout: LUA_TIMEOUT_MS },
    ),
  },
  {
    name: 'lua-disk-entries',
    limit: 'entries',
    request: luaRequest(
      'for n = 1, 100000 do assert(lfs.mkdir((n % 2 == 0 and "/tmp/" or "") .. "d" .. n))\n' +
        'if n % 100 == 0 then io.stdout:write("made-" .. n .. ";\\n") io.stdout:flush() end end',
      { timeout: LUA_TIMEOUT_MS },
    ),
  },
  {
    name: 'lua-memory',
    limit: 'memory',
    request: luaRequest(
      'local held, step = {}, 16 * 1024 * 1024\n' +
        'for n = 1, 500 do held[n] = string.rep(string.char(n % 256), step)\n' +
        'io.stdout:write("reached-" .. n * 16 .. ";\\n") io.stdout:flush() end',
      { timeout: LUA_TIMEOUT_MS },
    ),
  },
]

const HELPER_ATTACKS: readonly (readonly [attack: string, limit: LimitAttack['limit'], isQuick?: true])[] = [
  ['disk-mapped', 'disk', true],
  ['disk-mapped-forgotten', 'disk'],
  ['disk-allocated', 'disk'],
  ['disk-sparse', 'disk'],
  ['disk-own-table', 'disk'],
  ['disk-entries', 'entries', true],
  ['disk-attributes', 'disk'],
  ['memory-plain', 'memory'],
  ['memory-shared', 'memory'],
  ['memory-locks', 'memory'],
  ['memory-watches', 'memory'],
  ['memory-processes', 'memory', true],
  ['memory-dead-leader', 'memory'],
  ['memory-files', 'memory'],
]
const REFUSED: ReadonlySet<string> = new Set(['disk-attributes', 'memory-shared', 'memory-locks', 'memory-watches'])

const helperAttacks =
  helper === null
    ? []
    : HELPER_ATTACKS.map(([attack, limit, isQuick]): LimitAttack => ({
        name: `helper-${attack}`,
        limit,
        request: withHelper(attack),
        ...(REFUSED.has(attack) ? { isRefused: true } : {}),
        ...(isQuick ? { isQuick } : {}),
      }))

/** Attacks on the disk and memory limits. Each must be stopped before it exceeds its limit by more than a tenth. */
export const LIMIT_CASES: readonly HostileCase[] = [...perlAttacks, ...helperAttacks].map(
  ({ name, limit, request, isRefused, isQuick }): HostileCase => ({
    name: `limits-${name}`,
    request,
    outcome: 'contained',
    proof: isRefused ? NATIVE_PROOF : limit === 'entries' ? 'made-' : 'reached-',
    forbidden: [TOO_FAR[limit], ...(isRefused ? ['reached-'] : [])],
    isDangerous: true,
    ...(isQuick ? { isQuick } : {}),
  }),
)
