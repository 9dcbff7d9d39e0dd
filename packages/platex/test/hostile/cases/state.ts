import { article, luaRequest, nativeRequest, NATIVE_PROOF } from '../documents.ts'
import type { HostileCase } from '../hostile-case.ts'

const LEFT_BEHIND = 'left-behind-by-another-compile'

/** Pairs: the first compile leaves something, the second looks for it. The neighbor of the last one has a secret. */
export const STATE_CASES: readonly HostileCase[] = [
  {
    name: 'state-leave',
    request: nativeRequest(
      `for my $dir ("/tmp", "/tmp/texmf-var", "/tmp/pk", ".", "..", "/var/tmp", "/dev/shm") { mkdir $dir; open F, ">", "$dir/left.txt" and print F "${LEFT_BEHIND}" }`,
    ),
    outcome: 'contained',
    proof: NATIVE_PROOF,
  },
  {
    name: 'state-find',
    request: nativeRequest(
      'for my $dir ("/tmp", "/tmp/texmf-var", "/tmp/pk", ".", "..", "/var/tmp", "/dev/shm") { open F, "$dir/left.txt" and print <F> }',
    ),
    outcome: 'contained',
    proof: NATIVE_PROOF,
    forbidden: [LEFT_BEHIND],
  },
  {
    name: 'state-neighbor-lua',
    request: luaRequest(
      'local function walk(d, n) if n > 6 then return end for f in lfs.dir(d) do if f ~= "." and f ~= ".." then local p = d .. "/" .. f local a = lfs.symlinkattributes(p) if a and a.mode == "directory" then pcall(walk, p, n + 1) elseif f == "main.tex" then local h = io.open(p) if h then texio.write_nl(h:read("a")) end end end end end for _, d in ipairs{"..", "/tmp", "/home", "/root", "/work"} do pcall(walk, d, 0) end',
      { timeout: 30_000 },
    ),
    outcome: 'contained',
    hasNeighbor: true,
  },
  {
    name: 'state-same-again',
    request: { source: article('Text.') },
    outcome: 'compiles',
  },
]
