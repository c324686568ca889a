// @module-tag chromium
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqlite } from '#lib/db/sqlite-file.ts'
import { smallBundle } from '#lib/testing/corpora/small-bundle.ts'
import { connectToChromium } from '#lib/testing/e2e/looks.ts'
import { startWeb } from '#lib/testing/e2e/start-copy.ts'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import { plantDemo } from '#lib/testing/factories/demo/plant-demo.ts'

type Web = Awaited<ReturnType<typeof startWeb>>

/** Overwrites every page of the database file that contains rows of a table, as a failing disk does. */
function damage(file: string, table: string): void {
  const db = openSqlite(file)
  db.pragma('wal_checkpoint(TRUNCATE)')
  const size = Number(db.pragma('page_size', { simple: true }))
  const pages = db.prepare('SELECT pageno FROM dbstat WHERE name = ?').pluck().all(table)
  db.close()
  const bytes = readFileSync(file)
  for (const page of pages.map(Number)) bytes.fill(0xff, (page - 1) * size, page * size)
  writeFileSync(file, bytes)
}

describe('a database with a damaged page', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'proofboard-damaged-'))
  let web: Web
  let browser: Browser
  beforeAll(async () => {
    browser = await connectToChromium()
    await plantDemo(dataDir)
    damage(join(dataDir, 'proofboard.db'), 'Run')
    web = await startWeb(dataDir)
  })
  afterAll(async () => {
    await browser.close()
    await web.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  it('answers no page from it with 200, first or again, and says so in a browser', async () => {
    for (const path of ['/runs', '/', '/runs'])
      expect((await fetch(`${web.url}${path}`)).status, path).toBe(500)
    const page = await browser.newPage()
    expect((await page.goto(`${web.url}/runs`))?.status()).toBe(500)
    await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor()
    expect(await page.content()).not.toMatch(/PrismaClient|\n\s+at /)
    expect(await page.title()).toBe('Error · Proofboard')
  })

  it('answers the API with one sentence, and everything else as before', async () => {
    const response = await fetch(`${web.url}/api/v1/runs`)
    expect(response.status).toBe(503)
    const { code, detail } = (await response.json()) as { code: string; detail: string }
    expect([code, detail]).toEqual([
      'database-unusable',
      'the database file is damaged or no SQLite database: restore a copy of it',
    ])
    expect((await fetch(`${web.url}/suites`)).status).toBe(200)
  })
})

describe('a data folder that is moved away under a running server', () => {
  const root = mkdtempSync(join(tmpdir(), 'proofboard-moved-'))
  const [dataDir, aside] = [join(root, 'data'), join(root, 'aside')]
  let web: Web
  let token = ''
  beforeAll(async () => {
    await plantDemo(dataDir)
    web = await startWeb(dataDir)
    const made = await proofboardHere(dataDir, ['tokens', 'create', 'my-laptop'])
    token = /pb_[0-9A-Za-z]{43}/.exec(made.stdout)?.[0] ?? ''
  })
  afterAll(async () => {
    await web.stop()
    rmSync(root, { recursive: true, force: true })
  })

  const send = () =>
    fetch(`${web.url}/api/v1/results`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: smallBundle(),
    })
  const ready = async () => (await fetch(`${web.url}/api/v1/health/ready`)).status

  it('refuses what is sent with one sentence, and takes it once the folder is back', async () => {
    expect(token).not.toBe('')
    expect(await ready()).toBe(200)
    renameSync(dataDir, aside)
    const refused = await send()
    expect(refused.status).toBe(503)
    expect(JSON.stringify(await refused.json())).toContain(
      'the database file was moved, replaced or removed while it was in use',
    )
    expect(await ready()).toBe(503)
    expect((await fetch(`${web.url}/api/v1/health/live`)).status).toBe(200)
    expect((await fetch(`${web.url}/runs`)).status).toBe(500)
    expect(existsSync(dataDir), 'nothing is written where the folder was').toBe(false)
    renameSync(aside, dataDir)
    expect(await ready()).toBe(200)
    expect((await send()).status).toBe(201)
    expect((await fetch(`${web.url}/api/v1/runs/run_sample0001`)).status).toBe(200)
  })

  it('leaves nothing in the data folder that others may read', () => {
    const open = readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
      .map((name) => join(dataDir, name))
      .filter((path) => (statSync(path).mode & 0o077) !== 0)
    expect([...open, ...((statSync(dataDir).mode & 0o077) !== 0 ? [dataDir] : [])]).toEqual([])
  })
})
