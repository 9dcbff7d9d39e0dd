import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { endProcess, endProcessGroup, findFreePort } from '../child-server.ts'

/** Debian's cgit behind nginx. */
export interface Cgit {
  readonly origin: string
  /** Clears the page cache. */
  forget(): Promise<void>
  stop(): Promise<void>
}

const programs = ['/usr/lib/cgit/cgit.cgi', '/usr/sbin/fcgiwrap', '/usr/sbin/nginx', '/usr/bin/pygmentize']

/** Starts cgit for one repository at `/tides/`, with cache and syntax highlighting. @throws Error without cgit. */
export async function startCgit(gitDir: string, folder: string): Promise<Cgit> {
  const missing = programs.filter((program) => !existsSync(program))
  if (missing.length > 0)
    throw new Error(
      `The opponent is missing (${missing.join(', ')}): apt-get install cgit fcgiwrap nginx-light python3-pygments`,
    )
  const cache = join(folder, 'cache')
  await mkdir(join(folder, 'logs'), { recursive: true })
  await mkdir(cache)
  await writeFile(
    join(folder, 'cgitrc'),
    `cache-root=${cache}\ncache-size=1000\nmax-commit-count=100\nenable-index-links=1\ncss=/cgit.css\n` +
      `source-filter=/usr/lib/cgit/filters/syntax-highlighting.py\nrepo.url=tides\nrepo.path=${gitDir}\n`,
  )
  const socket = join(folder, 'fcgi.sock')
  const wrapper = spawn('/usr/sbin/fcgiwrap', ['-s', `unix:${socket}`, '-c', '4'], {
    stdio: 'ignore',
    // It forks, and its children survive it.
    detached: true,
  })
  const port = await findFreePort()
  await writeFile(join(folder, 'nginx.conf'), nginxConfig({ folder, socket, port }))
  const nginx = spawn('/usr/sbin/nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' })
  const origin = `http://127.0.0.1:${port}`
  await untilAnswering(`${origin}/tides/`)
  return {
    origin,
    async forget() {
      await rm(cache, { recursive: true })
      await mkdir(cache)
    },
    async stop() {
      await Promise.all([endProcess(nginx), endProcessGroup(wrapper)])
    },
  }
}

function nginxConfig({
  folder,
  socket,
  port,
}: {
  readonly folder: string
  readonly socket: string
  readonly port: number
}): string {
  // The worker of a root nginx would run as a user who cannot read our folder.
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  return `${user} daemon off; worker_processes 2; pid ${folder}/pid; error_log ${folder}/errors;
    events { worker_connections 256; }
    http { access_log off; keepalive_requests 1000000;
      server { listen 127.0.0.1:${port};
        location / {
          include /etc/nginx/fastcgi_params;
          fastcgi_param SCRIPT_FILENAME /usr/lib/cgit/cgit.cgi;
          fastcgi_param CGIT_CONFIG ${folder}/cgitrc;
          fastcgi_param PATH_INFO $uri;
          fastcgi_param QUERY_STRING $args;
          fastcgi_pass unix:${socket};
        } } }`
}

async function untilAnswering(url: string): Promise<void> {
  for (let n = 0; n < 100; n += 1) {
    const answer = await fetch(url).catch(() => null)
    if (answer?.status === 200) return
    await sleep(50)
  }
  throw new Error('cgit did not answer within five seconds.')
}
