/** Layout of single pages: the PDF viewer on one screen, tabs on a small one, and print. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TestContext } from 'node:test'

import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

import { eventually } from '../../../platex/test/support/eventually.ts'
import { openFilledSite } from '../support/hosts/filled-site.ts'
import type { FilledSite } from '../support/hosts/filled-site.ts'
import { borrowWindow } from '../support/web/borrow-window.ts'
import { openBrowser, withoutBrowser } from '../support/web/open-browser.ts'

let site: FilledSite
let browser: Browser

before(async () => {
  site = await openFilledSite()
  if (withoutBrowser === false) browser = await openBrowser()
})
after(async () => {
  await browser?.close()
  await site.close()
})

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

test(
  'the PDF page fills a phone with the paper below one toolbar of 48 px, and does not scroll itself',
  { skip: withoutBrowser },
  async (t) => {
    const page = await openPage(t, phone)
    await page.goto('/alice/tides/pdf/main')
    await page.locator('.viewer[data-state="shown"]').waitFor()
    const sheet = await page.locator('.pdfViewer .page').first().boundingBox()
    const pane = await page.locator('.viewer-frame').boundingBox()
    const bar = await page.locator('.viewer-bar').boundingBox()
    assert.deepEqual(
      {
        toolbar: bar?.height,
        isPaperInUpperHalf: (sheet?.y ?? Infinity) < phone.viewport.height / 2,
        paneEndsAt: Math.round((pane?.y ?? 0) + (pane?.height ?? 0)),
        pageScrolls: await page.evaluate('document.documentElement.scrollHeight > innerHeight'),
      },
      { toolbar: 48, isPaperInUpperHalf: true, paneEndsAt: phone.viewport.height, pageScrolls: false },
    )
  },
)

test(
  'with a text of 200 %, footer and PDF toolbar of a phone wrap instead of leaving it',
  { skip: withoutBrowser },
  async (t) => {
    const page = await openPage(t, phone)
    const session = await page.context().newCDPSession(page)
    await session.send('Page.setFontSizes', { fontSizes: { standard: 32 } })
    const ends: number[] = []
    for (const path of ['/alice/tides/commits/main', '/alice/tides/pdf/main']) {
      await page.goto(path)
      if (path.includes('/pdf/')) await page.locator('.viewer[data-state="shown"]').waitFor()
      for (const part of await page.locator('footer.site nav > *, .viewer-actions > *').all()) {
        const box = await part.boundingBox()
        if (box !== null) ends.push(Math.ceil(box.x + box.width))
      }
    }
    assert.deepEqual([ends.length > 4, ends.filter((end) => end > phone.viewport.width)], [true, []])
  },
)

test(
  'lists of branches and tags do not scroll sideways in a window with enlarged text',
  { skip: withoutBrowser },
  async (t) => {
    const page = await openPage(t, { viewport: { width: 1280, height: 800 } })
    const overflows: unknown[] = []
    for (const path of ['/alice/tides/branches', '/alice/tides/tags']) {
      await page.goto(path)
      await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
      overflows.push(await page.evaluate(`Math.max(0, document.documentElement.scrollWidth - innerWidth)`))
    }
    assert.deepEqual(overflows, [0, 0])
  },
)

test('the menu of the PDF page on a phone has a text for each entry', { skip: withoutBrowser }, async (t) => {
  const page = await openPage(t, phone)
  await page.goto('/alice/tides/pdf/main')
  await page.click('.viewer-actions .more summary')
  const entries = await page.evaluate(`[...document.querySelectorAll('.viewer-actions .menu a')].map((link) => {
    const isClipped = [link, ...link.querySelectorAll('*')].some((part) => getComputedStyle(part).clipPath !== 'none')
    return isClipped || !link.checkVisibility() ? 'hidden' : link.textContent.trim()
  })`)
  assert.deepEqual(entries, [
    'Open PDF file',
    'Permalink',
    'Tag this version',
    'Export for arXiv',
    'Export for a journal',
    'Build settings',
    'Share',
    'Compare',
  ])
})

test(
  'the PDF page says that a version is frozen, above a pane that still fills the window',
  { skip: withoutBrowser },
  async (t) => {
    const page = await openPage(t, { viewport: { width: 1280, height: 800 } })
    await page.goto('/alice/tides/tags/new?from=v1')
    await page.fill('[name=name]', 'v1-frozen')
    await page.fill('[name=message]', 'Submitted')
    await page.click('main .button')
    await page.locator('.viewer[data-state="shown"]').waitFor()
    const pane = await page.locator('.viewer-frame').boundingBox()
    assert.deepEqual(
      {
        notice: await page.locator('main > .banner').allTextContents(),
        toolbar: (await page.locator('.viewer-bar').boundingBox())?.height,
        paneEndsAt: Math.round((pane?.y ?? 0) + (pane?.height ?? 0)),
        pageScrolls: await page.evaluate('document.documentElement.scrollHeight > innerHeight'),
      },
      {
        notice: ['Tag created. Its PDF stays at this address.'],
        toolbar: 48,
        paneEndsAt: 800,
        pageScrolls: false,
      },
    )
  },
)

test(
  'the PDF page shows a phone without script the first page on its first screen',
  { skip: withoutBrowser },
  async (t) => {
    const page = await openPage(t, { ...phone, javaScriptEnabled: false })
    await page.goto('/alice/tides/pdf/main')
    const picture = await page.locator('.page-pictures img').first().boundingBox()
    const link = await page.getByRole('link', { name: 'Open the PDF', exact: true }).boundingBox()
    assert.ok((picture?.y ?? Infinity) < phone.viewport.height / 2)
    assert.ok((link?.x ?? 0) >= 16, 'the link below the pages is within the margin of the page')
  },
)

test('the current tab of a repository is within a small screen', { skip: withoutBrowser }, async (t) => {
  const page = await openPage(t, { viewport: { width: 320, height: 640 } })
  await page.goto('/alice/tides/settings')
  const tab = await page.locator('.tabs [aria-current]').boundingBox()
  assert.ok((tab?.x ?? -1) >= 0 && (tab?.x ?? 0) + (tab?.width ?? 0) <= 320, JSON.stringify(tab))
})

test('tabs, tables and code that scroll sideways fade where there is more', { skip: withoutBrowser }, async (t) => {
  const page = await openPage(t, { viewport: { width: 320, height: 640 } })
  const read = (part: string) =>
    page.evaluate<readonly (number | 'none')[]>(`(async () => {
      const element = document.querySelector('${part}')
      const edges = []
      for (const left of [0, element.scrollWidth]) {
        element.scrollLeft = left
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
        const { maskImage, maskPosition } = getComputedStyle(element)
        edges.push(maskImage === 'none' ? 'none' : Math.round(parseFloat(maskPosition)) || 0)
      }
      return edges
    })()`)
  await page.goto('/docs/compile')
  const code = await read('.prose pre')
  await page.goto('/docs/matrix')
  // The mask is as wide as the element and one fade, which is outside at the end that is reached.
  const atEdges = [-32, 0]
  assert.deepEqual(
    { tabs: await read('.tabs'), table: await read('.prose table'), code },
    { tabs: atEdges, table: atEdges, code: atEdges },
  )
  await page.setViewportSize({ width: 1280, height: 800 })
  assert.deepEqual(await read('.tabs'), ['none', 'none'])
})

test('settings, fields and headers are tables that fit phones and tablets', { skip: withoutBrowser }, async (t) => {
  const page = await openPage(t)
  for (const path of ['/docs/settings', '/docs/compile', '/docs/webhooks']) {
    await page.goto(path)
    for (const width of [320, 768, 912]) {
      await page.setViewportSize({ width, height: 640 })
      const tables = await page
        .locator('.prose table')
        .evaluateAll((all) => all.map(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth))
      assert.deepEqual([...new Set(tables)], [true], `${path} at ${width} px`)
    }
  }
})

test('a phone shows the button that finds files within its margin', { skip: withoutBrowser }, async (t) => {
  const page = await openPage(t, { viewport: { width: 320, height: 640 } })
  await page.goto('/alice/tides/find/main')
  const button = await page.getByRole('button', { name: 'Find' }).boundingBox()
  assert.equal((button?.x ?? 0) + (button?.width ?? 0), 304)
})

test('the entries of a bibliography begin at the left edge of the page', { skip: withoutBrowser }, async (t) => {
  const page = await openPage(t)
  await page.goto('/alice/tides/blob/main/refs.bib')
  const [facts, entry] = await Promise.all(
    ['.file-facts', '.bibliography li'].map((part) => page.locator(part).first().boundingBox()),
  )
  assert.equal(entry?.x, facts?.x)
})

test('names have one distance to the thumbnails of all lists of repositories', { skip: withoutBrowser }, async (t) => {
  const page = await openPage(t)
  const distances: number[] = []
  for (const path of ['/', '/alice', '/search?q=tides']) {
    await page.goto(path)
    const [sheet, name] = await Promise.all(
      ['td', 'th'].map((cell) => page.locator(`.repositories ${cell} > :first-child`).first().boundingBox()),
    )
    distances.push(Math.round((name?.x ?? 0) - (sheet?.x ?? 0) - (sheet?.width ?? 0)))
  }
  assert.deepEqual(distances, [16, 16, 16])
})

test('the name of a user is beside the picture in the list of accounts', { skip: withoutBrowser }, async (t) => {
  const page = await openPage(t)
  await page.goto('/admin/users')
  const rows = await page.locator('th[scope=row]:has(.avatar)').all()
  const isBeside = await Promise.all(
    rows.map(async (row) => {
      const [picture, name] = await Promise.all([row.locator('.avatar').boundingBox(), row.locator('a').boundingBox()])
      return (name?.y ?? Infinity) < (picture?.y ?? 0) + (picture?.height ?? 0)
    }),
  )
  assert.deepEqual([isBeside.length > 1, isBeside], [true, rows.map(() => true)])
})

test('the archives of branches and tags are in one column', { skip: withoutBrowser }, async (t) => {
  const page = await openPage(t)
  for (const path of ['/alice/tides/branches', '/alice/tides/tags']) {
    await page.goto(path)
    const starts = await page
      .getByRole('link', { name: 'ZIP of' })
      .evaluateAll((all) => all.map((link) => link.getBoundingClientRect().left))
    assert.deepEqual([starts.length > 1, new Set(starts).size], [true, 1], path)
  }
})

test('the link to the PDF of a commit is its word, without the dot before it', { skip: withoutBrowser }, async (t) => {
  const page = await openPage(t)
  await page.goto('/alice/tides/commits/main')
  const texts = await page.getByRole('link', { name: 'PDF at' }).allTextContents()
  assert.match(texts.join(), /^[a-z ,]+$/)
})

test('a phone breaks no word of a path, an address or a heading in the middle', { skip: withoutBrowser }, async (t) => {
  const page = await openPage(t, { viewport: { width: 320, height: 640 } })
  const parts = {
    '/alice/tides': '.clone pre',
    '/alice/empty': '.type-this',
    '/alice/followed': '.repository p',
    '/alice/tides/builds/1': '.facts dd, .timeline td, .type-this, .problem p',
    '/alice/tides/words/v1': '.word-count :is(th, td)',
    '/alice/tides/search?q=oceanography': '.found h3',
    '/admin/builds': 'main :is(th, td)',
    '/admin/demo': '.type-this',
    '/admin/status': '.card-line :is(.type-this, code)',
    '/docs/api': '.contents li, .prose h3',
  }
  const broken: Record<string, readonly string[]> = {}
  for (const [path, selector] of Object.entries(parts)) {
    await page.goto(path)
    if (selector.startsWith('.clone')) await page.click('.clone summary')
    assert.ok((await page.locator(selector).count()) > 0, path)
    broken[path] = await findBroken(page, selector)
  }
  assert.deepEqual(broken, Object.fromEntries(Object.keys(parts).map((path) => [path, []])))
})

test(
  'a phone shows the author of each branch whole, and the menu of a commit beside its actions',
  { skip: withoutBrowser },
  async (t) => {
    const page = await openPage(t, { viewport: { width: 320, height: 640 } })
    await page.goto('/alice/tides/branches')
    const authors = await page
      .locator('.author')
      .evaluateAll((all) => all.map(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth))
    assert.deepEqual([...new Set(authors)], [true])
    await page.goto(`/alice/tides/commit/${site.lastCommitId}`)
    assert.ok(await areOnOneLine(page, ['.bar > .actions', '.bar > .more']))
  },
)

test('a phone shows the star of a repository beside its labels', { skip: withoutBrowser }, async (t) => {
  const page = await openPage(t, { viewport: { width: 320, height: 640 } })
  for (const path of ['/alice/draft', '/alice/followed']) {
    await page.goto(path)
    assert.ok(await areOnOneLine(page, ['.repository-head .label', '.stars']), path)
  }
})

test('the fields of the API page end at the same edge', { skip: withoutBrowser }, async (t) => {
  for (const width of [320, 1280]) {
    const page = await openPage(t, { viewport: { width, height: 800 } })
    await page.goto('/docs/api')
    const ends = await page
      .locator('.token-text input')
      .evaluateAll((all) => all.map((field) => field.getBoundingClientRect().right))
    assert.deepEqual([ends.length, ends[0]], [2, ends[1]])
  }
})

test(
  'a phone shows branch and menu of a file above its path, and its actions below',
  { skip: withoutBrowser },
  async (t) => {
    const page = await openPage(t, { viewport: { width: 320, height: 640 } })
    await page.goto('/alice/tides/blob/main/sections/intro.tex')
    const [branch, menu, path, actions] = await Promise.all(
      ['.picker:not(.more)', '.more', '.breadcrumb', '.actions'].map(async (part) => {
        const box = await page.locator(`.bar > ${part}`).boundingBox()
        return { top: box?.y ?? 0, bottom: (box?.y ?? 0) + (box?.height ?? 0) }
      }),
    )
    assert.ok(branch !== undefined && menu !== undefined && path !== undefined && actions !== undefined)
    assert.deepEqual(
      [menu.top < branch.bottom, menu.bottom <= path.top, branch.bottom <= path.top, path.bottom <= actions.top],
      [true, true, true, true],
    )
  },
)

test('the list of builds does not scroll sideways on a small screen', { skip: withoutBrowser }, async (t) => {
  const page = await openPage(t, { viewport: { width: 320, height: 640 } })
  await page.goto('/alice/tides/builds')
  const list = await page
    .locator('.scroll:has(.builds)')
    .evaluate((element) => [element.scrollWidth, element.clientWidth])
  assert.equal(list[0], list[1])
})

test('the commands of the status page are shown whole', { skip: withoutBrowser }, async (t) => {
  const page = await openPage(t, { viewport: { width: 1280, height: 800 } })
  await page.goto('/admin/status')
  const commands = await page
    .locator('.type-this')
    .evaluateAll((all) => all.map(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth))
  assert.deepEqual([commands.length > 0, commands.filter((isWhole) => !isWhole)], [true, []])
})

test('the radio button of a template is beside its name, below its picture', { skip: withoutBrowser }, async (t) => {
  const page = await openPage(t)
  await page.goto('/new')
  const [radio, name, picture] = await Promise.all(
    ['input', 'span:not(.sheet)', '.sheet'].map((part) => page.locator(`.template > ${part}`).first().boundingBox()),
  )
  assert.ok(radio && name && picture)
  const end = picture.y + picture.height
  assert.deepEqual([radio.y >= end, name.y >= end, name.x > radio.x], [true, true, true])
})

test(
  'the frame of the chosen template has the color of the text, even in dark mode',
  { skip: withoutBrowser },
  async (t) => {
    const colors: string[] = []
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await openPage(t, { colorScheme })
      await page.goto('/new')
      const [frame, text] = await page.evaluate<readonly [string, string]>(`[
      getComputedStyle(document.querySelector('.template:has(:checked) .sheet')).outlineColor,
      getComputedStyle(document.body).color,
    ]`)
      assert.equal(frame, text)
      colors.push(frame)
    }
    assert.notEqual(colors[0], colors[1])
  },
)

test(
  'a field for files names the chosen files, and shows that it has the focus',
  { skip: withoutBrowser },
  async (t) => {
    const page = await openPage(t)
    await page.goto('/import')
    const [box, field] = [page.locator('.file-field').first(), page.locator('#archive')]
    const before = await box.innerText()
    await field.setInputFiles(['main.tex', 'refs.bib'].map(textFile))
    const few = await box.innerText()
    await field.setInputFiles(['1.png', '2.png', '3.png', '4.png', '5.png'].map(textFile))
    const many = await box.innerText()
    await page.locator('#folder').focus()
    await page.keyboard.press('Shift+Tab')
    const outlines = await page.evaluate(
      `[...document.querySelectorAll('.file-field')].map((each) => getComputedStyle(each).outlineStyle)`,
    )
    assert.deepEqual(
      [before, few, many, outlines].map((text) => String(text).replaceAll(/\s+/g, ' ')),
      [
        'Choose files No files chosen',
        'Choose files main.tex, refs.bib',
        'Choose files 1.png, 2.png, 3.png and 2 more',
        'solid,none',
      ],
    )
  },
)

test('without JavaScript, the browser draws a field for files', { skip: withoutBrowser }, async (t) => {
  const page = await openPage(t, { javaScriptEnabled: false })
  await page.goto('/import')
  const box = page.locator('.file-field').first()
  const height = (await page.locator('#archive').boundingBox())?.height ?? 0
  assert.deepEqual(
    [
      await box.innerText(),
      await page.evaluate(`getComputedStyle(document.querySelector('#archive')).opacity`),
      height > 30,
    ],
    ['', '1', true],
  )
})

test('the status in the toolbar opens and closes the panel', { skip: withoutBrowser }, async (t) => {
  const page = await openPage(t, phone)
  await page.goto('/alice/tides/pdf/main')
  await page.locator('.viewer[data-state="shown"]').waitFor()
  const status = page.locator('.viewer-status')
  const read = async () => [await status.getAttribute('aria-expanded'), await page.locator('#problems').isVisible()]
  const closed = await read()
  await status.click()
  const open = await read()
  await page.keyboard.press('Escape')
  assert.deepEqual(
    [closed, open, await read()],
    [
      ['false', false],
      ['true', true],
      ['false', false],
    ],
  )
})

test('files of all kinds have rows of the same height', { skip: withoutBrowser }, async (t) => {
  const page = await openPage(t)
  await page.goto('/alice/tides/tree/main/figs')
  const rows = page.locator('.files tbody tr:has(th)')
  const heights = await Promise.all((await rows.all()).map(async (row) => (await row.boundingBox())?.height ?? 0))
  const isPdfListed = (await rows.locator('.pdf').count()) > 0
  // A border takes part of a pixel.
  assert.deepEqual([isPdfListed, Math.max(...heights) - Math.min(...heights) < 2], [true, true])
})

test('a printed page shows neither buttons nor tokens', { skip: withoutBrowser }, async (t) => {
  const page = await openPage(t)
  await page.goto('/settings/tokens/new')
  await page.getByLabel('Name').fill('laptop')
  await page.getByRole('button', { name: 'Create token' }).click()
  const text = await page.getByLabel('Token', { exact: true }).inputValue()
  await page.emulateMedia({ media: 'print' })
  const printed = await page.locator('body').innerText()
  assert.deepEqual(
    [text.startsWith('pst_'), printed.includes('The token is not printed.'), printed.includes(text)],
    [true, true, false],
  )
  assert.deepEqual([await page.locator('#token').isVisible(), await page.locator('button:visible').count()], [false, 0])
})

test(
  'the editor of a repository with many files shows the edited one in the list',
  { skip: withoutBrowser },
  async (t) => {
    const alice = await site.host.deps.store.users.findByLogin('alice')
    assert.ok(alice)
    const url = site.host.gitUrl('alice/tides.git', await site.host.addToken(alice, ['repo:write']))
    const names = Array.from({ length: 80 }, (_, at) => `table-${String(at + 10)}.txt`)
    const checkout = await site.host.makeCheckout(url, Object.fromEntries(names.map((name) => [name, `${name}\n`])))
    await checkout.git('push', 'origin', 'main:refs/heads/many')
    for (const options of [{ viewport: { width: 1280, height: 600 } }, phone]) {
      const page = await openPage(t, options)
      await page.goto('/alice/tides/edit/many/table-75.txt')
      await page.locator('.cm-content').waitFor()
      if (options === phone) await page.getByRole('button', { name: 'Files' }).tap()
      const [list, current] = await Promise.all(
        ['.editor-files', '.editor-files [aria-current]'].map((part) => page.locator(part).boundingBox()),
      )
      assert.ok(list && current)
      assert.ok(current.y >= list.y && current.y + current.height <= list.y + list.height, JSON.stringify(current))
    }
  },
)

test(
  'the line numbers of the editor follow lines that wrap elsewhere in a font that arrives later',
  { skip: withoutBrowser },
  async (t) => {
    const page = await openPage(t, { viewport: { width: 320, height: 844 } })
    await page.goto('/alice/tides/edit/main/main.tex')
    await page.locator('.cm-content').waitFor()
    const read = () =>
      page.evaluate<readonly (readonly number[])[]>(`['.cm-line', '.cm-lineNumbers .cm-gutterElement'].map((part) =>
        [...document.querySelectorAll(part)].map((each) => each.getBoundingClientRect())
          .filter(({ height }) => height > 0).map(({ bottom }) => Math.round(bottom)))`)
    const [before = []] = await read()
    await page.evaluate(`(async () => {
      const rules = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules])
      const serif = rules.find(({ style }) => style?.fontFamily.includes('Newsreader'))
      const font = new FontFace('Commit Mono', serif.style.src)
      document.fonts.add(font)
      await font.load()
    })()`)
    await eventually(read, {
      until: ([lines = [], numbers = []]) => lines.join() !== before.join() && lines.join() === numbers.join(),
    })
  },
)

test('a long message of the editor is below the toolbar of a tablet', { skip: withoutBrowser }, async (t) => {
  const page = await openPage(t, { viewport: { width: 768, height: 1024 } })
  await page.goto('/alice/tides/edit/main/main.tex')
  await page.locator('.cm-content').waitFor()
  await page.locator('[data-draft-status]').evaluate((status) => {
    status.textContent = 'alice committed this text to referee-2.'
    status.toggleAttribute('data-long', true)
  })
  const [toggles, commit, message] = await Promise.all(
    ['.editor-toggles', '[data-open-commit]', '[data-draft-status]'].map((part) => page.locator(part).boundingBox()),
  )
  assert.ok(toggles && commit && message)
  assert.deepEqual(
    [toggles.y === commit.y, message.y >= commit.y + commit.height, message.height < commit.height],
    [true, true, true],
  )
})

function textFile(name: string) {
  return { name, mimeType: 'text/plain', buffer: Buffer.from('Tides.') }
}

/** Words, and parts of paths, with several lines in an element that has room for them on one line. */
function findBroken(page: Page, selector: string): Promise<readonly string[]> {
  return page.evaluate(`[...document.querySelectorAll('${selector}')].flatMap((block) => {
    const { paddingLeft, paddingRight } = getComputedStyle(block)
    const room = block.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)
    const texts = document.createTreeWalker(block, NodeFilter.SHOW_TEXT)
    const broken = []
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode())
      for (const { 0: word, index } of text.data.matchAll(/[^\\s/_-]+/g)) {
        const range = document.createRange()
        range.setStart(text, index)
        range.setEnd(text, index + word.length)
        const lines = [...range.getClientRects()]
        const width = lines.reduce((sum, line) => sum + line.width, 0)
        if (new Set(lines.map(({ top }) => top)).size > 1 && width < room) broken.push(word)
      }
    return broken
  })`)
}

/** Whether the first element of each kind overlaps the other vertically. */
async function areOnOneLine(page: Page, parts: readonly [string, string]): Promise<boolean> {
  const [left, right] = await Promise.all(parts.map((part) => page.locator(part).first().boundingBox()))
  assert.ok(left && right)
  return left.y < right.y + right.height && right.y < left.y + left.height
}

async function openPage(t: TestContext, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await borrowWindow(browser, t, { baseURL: site.origin, ...options })
  const { cookies } = await site.signIn('alice')
  await page.context().addCookies([...cookies].map(([name, value]) => ({ name, value, url: site.origin })))
  return page
}
