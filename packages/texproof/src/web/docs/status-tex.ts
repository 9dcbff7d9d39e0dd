/** `/status/tex`: the TeX installation of this host, and whether a package is available. */
import type { PackageAnswer, TexInventory } from '@texproof/platex/project'
import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../operations/deps.ts'
import type { Html } from '../ui/html.ts'
import { sendDocsPage } from './docs-page.ts'

/** `GET /status/tex?package=`. */
export async function showTexStatus(c: Context, { config, papers }: Deps): Promise<Response> {
  const name = (c.req.query('package') ?? '').trim().slice(0, 100)
  const [tex, answer] = await Promise.all([papers.texInventory(), name === '' ? null : papers.findTexPackage(name)])
  const main = html`<section class="tex-status">
    <h1>TeX on ${config.name}</h1>
    <p class="lead">${describeTex(tex)}</p>
    <form action="/status/tex" class="search-form" role="search" aria-label="Packages">
      <p class="field">
        <label for="package">Find a package</label>
        <input
          id="package"
          name="package"
          type="search"
          value="${name}"
          placeholder="siunitx"
          autocapitalize="none"
          spellcheck="false"
        />
      </p>
    </form>
    ${answer === null ? '' : packageAnswer(name, answer)}
    <h2>Programs</h2>
    ${programTable(tex)} ${biblatexNote(tex)} ${missingNote(tex)}
    <p class="quiet">
      Documents are compiled without network and without shell escape: packages that run other programs, such as minted,
      work only if the repository contains their output.
    </p>
  </section>`
  return sendDocsPage(c, { tab: '/status/tex', title: 'TeX', main })
}

function describeTex({ release, packageCount, classCount, fontCount }: TexInventory): string {
  const count = (number: number, noun: string): string => `${number.toLocaleString('en')} ${noun}`
  const counts = [count(packageCount, 'packages'), count(classCount, 'classes'), count(fontCount, 'fonts')]
  return `${release ?? 'No TeX Live'}: ${counts.join(', ')}.`
}

function packageAnswer(name: string, answer: PackageAnswer): Html {
  if (answer.kind === 'no-name')
    return html`<p class="notice" role="status">
      Invalid package name. Use letters, digits and hyphens, such as siunitx.
    </p>`
  if (answer.kind === 'installed')
    return html`<p class="notice notice-good" role="status">
      Installed: <code>${answer.fileName}</code>${answer.version === null ? '' : `, ${answer.version}`}. Load it with
      <code>${loadingCommand(answer.fileName)}</code>
    </p>`
  return html`<div class="notice" role="status">
    <p>
      Package or class <code>${name}</code> is not
      installed.${answer.installCommand === null ? ' TeX Live has no package of this name either. Check the spelling.' : ''}
    </p>
    ${
      answer.similar.length === 0
        ? ''
        : html`<p>
            Similar names:
            ${answer.similar.map((each) => html`<a href="/status/tex?${new URLSearchParams({ package: each })}">${each}</a> `)}
          </p>`
    }
    ${
      answer.installCommand === null
        ? ''
        : html`<p>An administrator can install it:</p>
            <pre class="type-this" tabindex="0"><code>${answer.installCommand}</code></pre>`
    }
  </div>`
}

function loadingCommand(fileName: string): string {
  const name = fileName.slice(0, -4)
  return fileName.endsWith('.cls') ? `\\documentclass{${name}}` : `\\usepackage{${name}}`
}

function programTable({ programs, missingPrograms }: TexInventory): Html {
  return html`<table class="settings-table">
    <thead>
      <tr>
        <th scope="col">Program</th>
        <th scope="col">Version</th>
      </tr>
    </thead>
    <tbody>
      ${programs.map(
        ({ name, version }) =>
          html`<tr>
            <th scope="row"><code>${name}</code></th>
            <td>${version ?? html`<span class="quiet">installed</span>`}</td>
          </tr>`,
      )}
      ${missingPrograms.map(
        (name) =>
          html`<tr>
            <th scope="row"><code>${name}</code></th>
            <td class="quiet">not installed</td>
          </tr>`,
      )}
    </tbody>
  </table>`
}

function biblatexNote({ biblatex }: TexInventory): Html | '' {
  if (biblatex === null) return ''
  const pair = `biber ${biblatex.biber} and biblatex ${biblatex.biblatex}`
  return biblatex.isMatched
    ? html`<p>${pair} are compatible.</p>`
    : html`<p class="notice">
        ${pair} are not compatible: documents with biblatex fail. An administrator must install both from the same TeX
        Live release.
      </p>`
}

function missingNote({ installCommand }: TexInventory): Html | '' {
  if (installCommand === null) return ''
  return html`<p>An administrator can install the missing programs:</p>
    <pre class="type-this" tabindex="0"><code>${installCommand}</code></pre>`
}
