import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { endProcess, endProcessGroup, findFreePort } from '../child-server.ts'

/** The HTTP server of git behind nginx. */
export interface HttpBackend {
  readonly origin: string
  stop(): Promise<void>
}

const backend = '/usr/lib/git-core/git-http-backend'
const programs = [backend, '/usr/sbin/fcgiwrap', '/usr/sbin/nginx']

/** Serves the repositories in a folder for reading and writing. @throws Error if a program is missing. */
export async function startHttpBackend(root: string, folder: string): Promise<HttpBackend> {
  const missing = programs.filter((program) => !existsSync(program))
  if (missing.length > 0)
    throw new Error(`Missing for the comparison: ${missing.join(', ')}. apt-get install git fcgiwrap nginx-light`)
  await mkdir(join(folder, 'logs'), { recursive: true })
  const socket = join(folder, 'fcgi.sock')
  const wrapper = spawn('/usr/sbin/fcgiwrap', ['-s', `unix:${socket}`, '-c', '4'], {
    stdio: 'ignore',
    // It forks, and its children survive it.
    detached: true,
    env: { PATH: process.env['PATH'], GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' },
  })
  const port = await findFreePort()
  await writeFile(join(folder, 'nginx.conf'), nginxConfig({ root, folder, socket, port }))
  const nginx = spawn('/usr/sbin/nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' })
  const origin = `http://127.0.0.1:${port}`
  for (let n = 0; n < 100 && (await fetch(origin).catch(() => null)) === null; n += 1) await sleep(50)
  return {
    origin,
    async stop() {
      await Promise.all([endProcess(nginx), endProcessGroup(wrapper)])
    },
  }
}

function nginxConfig(paths: {
  readonly root: string
  readonly folder: string
  readonly socket: string
  readonly port: number
}): string {
  const { root, folder, socket, port } = paths
  // The worker of a root nginx would run as a user who cannot read our folder.
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  return `${user} daemon off; worker_processes 2; pid ${folder}/pid; error_log ${folder}/errors;
    events { worker_connections 256; }
    http { access_log off; client_body_temp_path ${folder}/body; fastcgi_temp_path ${folder}/answers;
      server { listen 127.0.0.1:${port}; client_max_body_size 0;
        location / {
          include /etc/nginx/fastcgi_params;
          fastcgi_buffering off; fastcgi_request_buffering off; gzip off;
          fastcgi_param SCRIPT_FILENAME ${backend};
          fastcgi_param GIT_PROJECT_ROOT ${root};
          fastcgi_param GIT_HTTP_EXPORT_ALL 1;
          fastcgi_param REMOTE_USER alice;
          fastcgi_param PATH_INFO $uri;
          fastcgi_param GIT_PROTOCOL $http_git_protocol;
          fastcgi_pass unix:${socket};
        } } }`
}
