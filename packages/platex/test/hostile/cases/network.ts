import { article, biberRequest, luaRequest, nativeRequest, NATIVE_PROOF } from '../documents.ts'
import type { HostileCase } from '../hostile-case.ts'

const REMOTE_ENTITY = `<?xml version="1.0"?><!DOCTYPE x SYSTEM "http://127.0.0.1:<PORT>/x.dtd">
<bltx:entries xmlns:bltx="http://biblatex-biber.sourceforge.net/biblatexml"></bltx:entries>`

/** Perl that prints CONNECTED when the listener of the runner can be reached. */
export const CONNECT = `use Socket; if (socket(my $s, PF_INET, SOCK_STREAM, 0)) { print "call " . "answered\\n" if connect($s, sockaddr_in(<PORT>, inet_aton("127.0.0.1"))) } `
export const CONNECTED = 'call answered'

/** Attempts to open a connection; the runner listens on `<PORT>`, and nothing may connect. */
export const NETWORK_CASES: readonly HostileCase[] = [
  {
    name: 'network-biber-http',
    request: biberRequest('[location=remote]{http://127.0.0.1:<PORT>/refs.bib}'),
    outcome: 'contained',
  },
  {
    name: 'network-biber-ftp',
    request: biberRequest('[location=remote]{ftp://127.0.0.1:<PORT>/refs.bib}'),
    outcome: 'contained',
  },
  {
    name: 'network-biber-entity',
    request: biberRequest('[datatype=biblatexml]{refs.bltxml}', [['refs.bltxml', REMOTE_ENTITY]]),
    outcome: 'contained',
  },
  {
    name: 'network-lua-socket',
    request: luaRequest('local s = require("socket") local c = s.tcp() c:connect("127.0.0.1", <PORT>) c:send("x")'),
    outcome: 'contained',
  },
  {
    name: 'network-includegraphics-url',
    request: {
      source: article(String.raw`\includegraphics{http://127.0.0.1:<PORT>/x.png}`, String.raw`\usepackage{graphicx}`),
    },
    outcome: 'contained',
  },
  {
    name: 'network-native-tcp',
    request: nativeRequest(CONNECT),
    outcome: 'contained',
    proof: NATIVE_PROOF,
    forbidden: [CONNECTED],
  },
  {
    name: 'network-native-families',
    request: nativeRequest(
      `for my $family (1, 2, 10, 16, 17, 38, 40) { for my $type (1, 2, 3) { print "so" . "cket $family\\n" if socket(my $s, $family, $type, 0) } }`,
    ),
    outcome: 'contained',
    proof: NATIVE_PROOF,
    forbidden: ['socket 1', 'socket 2', 'socket 16', 'socket 38', 'socket 40'],
  },
  {
    name: 'network-native-socket-pair',
    request: nativeRequest(`use Socket; print "pa" . "ired\\n" if socketpair(my $a, my $b, AF_UNIX, SOCK_STREAM, 0)`),
    outcome: 'contained',
    proof: NATIVE_PROOF,
    forbidden: ['paired'],
  },
]
