import { nativeRequest, NATIVE_PROOF, systemCall } from '../documents.ts'
import type { HostileCase } from '../hostile-case.ts'
import { CONNECT, CONNECTED } from './network.ts'

interface NativeAttack {
  readonly name: string
  readonly perl: string
  readonly forbidden?: readonly string[]
  readonly timeout?: number
  readonly isQuick?: true
  readonly isDangerous?: true
  readonly hasNeighbor?: true
}

/** Numbers on x86-64 of dangerous system calls; on other processors they are other, harmless calls. */
const DANGEROUS_CALLS: readonly (readonly [name: string, call: string])[] = [
  ['unshare', '272, 0x10000000'],
  ['setns', '308, 0, 0'],
  ['mount', '165, "none", "/tmp", "tmpfs", 0, 0'],
  ['ptrace', '101, 0, 0, 0, 0'],
  ['bpf', '321, 0, 0, 0'],
  ['keyctl', '250, 0, 0, 0, 0, 0'],
  ['memfd', '319, "x", 0'],
  ['userfaultfd', '323, 0'],
  ['io_uring', '425, 1, 0'],
  ['perf', '298, 0, 0, 0, 0, 0'],
  ['process_vm', '310, 1, 0, 0, 0, 0, 0'],
  ['handle', '304, 0, 0, 0'],
  ['chroot', '161, "/tmp"'],
  ['pivot_root', '155, "/tmp", "/tmp"'],
  ['kexec', '246, 0, 0, 0, 0'],
  ['sync', '162'],
  ['whiteout', '316, -100, "payload.pl", -100, "moved", 4'],
  ['personality', '135, 0xffffffff'],
]

const attacks: readonly NativeAttack[] = [
  { name: 'read-canary', perl: 'open F, "<CANARY>" and print <F>' },
  {
    name: 'read-accounts',
    perl: 'for (qw(/etc/passwd /etc/shadow /etc/group)) { open F, $_ and print <F> }',
  },
  {
    name: 'read-environment',
    perl: 'print "$_=$ENV{$_}\\n" for keys %ENV; for (1 .. 20, "self") { open F, "/proc/$_/environ" and print <F> }',
  },
  {
    name: 'write-host',
    perl: 'open F, ">", "<DROP>/native" and print F "x"; open F, ">>", "<OPEN>" and print F "x"; unlink "<OPEN>"',
  },
  {
    name: 'write-programs',
    perl: 'for (qw(/usr/bin/sh /usr/bin/x /etc/texmf/x /var/lib/texmf/x /font-cache/x /x /usr/share/texmf/x /dev/x)) { print "wri" . "tten $_\\n" if open F, ">>", $_ }',
    forbidden: ['written /'],
  },
  {
    name: 'host-tools',
    perl: 'for (qw(python3 gcc git node curl wget ssh sudo bwrap mount su)) { print "fo" . "und $_\\n" if system("command -v $_ >/dev/null 2>&1") == 0 }',
    forbidden: ['found python3', 'found gcc', 'found git', 'found node', 'found curl', 'found sudo', 'found bwrap'],
  },
  { name: 'daemon', perl: 'unless (fork) { setpgrp(0, 0); exec "sleep", "300" }' },
  {
    name: 'daemon-holding-output',
    perl: 'unless (fork) { open STDIN, "/dev/null"; $SIG{HUP} = "IGNORE"; sleep 300; exit }',
    timeout: 6000,
  },
  {
    name: 'deaf-to-signals',
    perl: '$SIG{$_} = "IGNORE" for qw(TERM INT HUP QUIT); sleep 300',
    timeout: 6000,
    isDangerous: true,
  },
  { name: 'fork-bomb', perl: 'while (1) { fork }', timeout: 6000, isDangerous: true },
  { name: 'memory-bomb', perl: 'my @x; push @x, "x" x 5e7 while 1', timeout: 10_000, isDangerous: true },
  {
    name: 'memory-bomb-spread',
    perl: 'for (1 .. 30) { unless (fork) { my $x = "x" x 4e8; sleep 60; exit } } sleep 60',
    timeout: 10_000,
    isDangerous: true,
  },
  {
    name: 'disk-bomb',
    perl: 'for my $n (1 .. 1000) { open F, ">", "f$n"; print F "x" x 1e6 for 1 .. 60; close F }',
    timeout: 15_000,
    isDangerous: true,
  },
  {
    name: 'disk-bomb-nameless',
    perl: 'for my $n (1 .. 200) { open $f[$n], ">", "f"; unlink "f"; print {$f[$n]} "x" x 1e6 for 1 .. 60 }',
    timeout: 15_000,
    isDangerous: true,
  },
  {
    name: 'scratch-bomb',
    perl: 'for my $n (1 .. 1000) { open F, ">", "/tmp/f$n"; print F "x" x 1e6 for 1 .. 60; close F }',
    timeout: 15_000,
    isDangerous: true,
  },
  {
    name: 'inode-bomb',
    perl: 'for my $n (1 .. 1e6) { open F, ">", "f$n"; close F }',
    timeout: 15_000,
    isDangerous: true,
  },
  { name: 'inode-bomb-scratch', perl: 'for my $n (1 .. 1e6) { mkdir "/tmp/d$n" }', timeout: 15_000, isDangerous: true },
  { name: 'deep-folders', perl: 'for (1 .. 3000) { mkdir "deep"; chdir "deep" }', timeout: 10_000, isDangerous: true },
  {
    name: 'odd-names',
    perl: 'for (1 .. 255) { next if $_ == 47; open F, ">", chr($_) . "\\xff\\n"; close F }',
    timeout: 10_000,
  },
  {
    name: 'pdf-as-link',
    perl: 'unlink "main.pdf"; symlink "<CANARY>", "main.pdf"; symlink "<OPEN>", "main.aux"',
    isQuick: true,
  },
  {
    name: 'log-as-link',
    perl: 'unlink "main.log", "main.blg"; symlink "/etc/passwd", $_ for "main.log", "main.blg", "main.bbl"',
  },
  {
    name: 'pdf-as-hard-link',
    perl: 'unlink "main.pdf"; link "<CANARY>", "main.pdf"; link "/etc/texmf/web2c/texmf.cnf", "main.bbl"',
  },
  {
    name: 'pipe-as-log',
    perl: 'use POSIX; unlink "main.log"; POSIX::mkfifo($_, 0666) for "main.blg", "main.log", "main.fls"',
    isQuick: true,
  },
  { name: 'folder-as-result', perl: 'for (qw(main.bbl main.log main.pdf main.fls)) { unlink; mkdir }' },
  { name: 'closed-folder', perl: 'mkdir "closed"; open F, ">", "closed/x"; chmod 0, "closed"; chmod 0, "main.pdf"' },
  { name: 'closed-workspace', perl: 'chmod 0, "."', isQuick: true },
  {
    name: 'dangerous-calls',
    perl: DANGEROUS_CALLS.map(([name, call]) => `print "al" . "lowed ${name}\\n" if ${systemCall(call)} >= 0;`).join(
      '\n',
    ),
    forbidden: DANGEROUS_CALLS.map(([name]) => `allowed ${name}`),
    isDangerous: true,
  },
  { name: 'kill-everyone', perl: 'unless (fork) { kill 9, -1; exit } wait', hasNeighbor: true, isDangerous: true },
  {
    name: 'inherited-descriptors',
    perl: 'for my $n (3 .. 64) { open(my $f, "<&=", $n) or next; my $bytes = sysread $f, my $text, 4000; print "descriptor $n: $text\\n" if $bytes }',
    timeout: 6000,
  },
  { name: 'output-flood', perl: 'while (1) { print "x" x 1e6 }', timeout: 15_000 },
  { name: 'error-flood', perl: 'while (1) { print STDERR "x" x 1e6 }', timeout: 15_000 },
  {
    name: 'terminal-input',
    perl: 'open my $t, "+<", "/dev/tty"; for my $c (split //, "id\\n") { ioctl(STDIN, 0x5412, $c); ioctl($t, 0x5412, $c) if $t }',
  },
  {
    name: 'poison-font-cache',
    perl: 'use File::Find; find(sub { return unless -f; print "poi" . "soned $_\\n" if open my $f, ">>", $_ }, grep { -d } "/font-cache", "/var/lib/texmf", "/var/cache/fontconfig")',
    forbidden: ['poisoned'],
  },
  {
    name: 'raise-limits',
    perl: 'system("prlimit --pid $$ --fsize=unlimited --nproc=unlimited --as=unlimited") == 0 and print "rai" . "sed\\n"',
    forbidden: ['raised'],
  },
  { name: 'stop-itself', perl: 'kill "STOP", $$', timeout: 5000 },
]

/** Attacks that read or call something and leave nothing behind. */
const TOGETHER = ['read-canary', 'read-accounts', 'read-environment', 'write-programs', 'dangerous-calls']
const attacksTogether = [
  ...attacks.filter(({ name }) => TOGETHER.includes(name)),
  { perl: CONNECT, forbidden: [CONNECTED] },
]

/** Perl run by biber: everything that a program with the rights of a compile can try. */
export const NATIVE_CASES: readonly HostileCase[] = [
  // One run of biber for the quick suite; a separate document shows which attack succeeds.
  {
    name: 'native-together',
    request: nativeRequest(
      `${attacksTogether.map(({ perl }) => `{ ${perl} }`).join(';\n')}; print "all attacks " . "ran\\n"`,
    ),
    outcome: 'contained',
    proof: 'all attacks ran',
    forbidden: attacksTogether.flatMap(({ forbidden = [] }) => forbidden),
    isQuick: true,
    isDangerous: true,
  },
  ...attacks.map(toCase),
]

function toCase(attack: NativeAttack): HostileCase {
  const { name, perl, timeout, forbidden, isQuick, isDangerous, hasNeighbor } = attack
  return {
    name: `native-${name}`,
    request: nativeRequest(perl, timeout === undefined ? {} : { timeout }),
    outcome: 'contained',
    proof: NATIVE_PROOF,
    ...(forbidden === undefined ? {} : { forbidden }),
    ...(isQuick ? { isQuick } : {}),
    ...(isDangerous ? { isDangerous } : {}),
    ...(hasNeighbor ? { hasNeighbor } : {}),
  }
}
