import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { episodesIn } from '#lib/testing/factories/chromium.ts'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import { startProofboard } from '#lib/testing/factories/proofboard-command.ts'
import { PROJECT_ROOT } from '../suites/project-paths.ts'

const root = mkdtempSync(join(tmpdir(), 'proofboard-browser-use-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const data = join(root, 'data')

it('says why pip could not install it, and leaves nothing', async () => {
  // An index without this package: no other is asked.
  const only = { PIP_NO_INDEX: '1', PIP_FIND_LINKS: root }
  const request = startProofboard(data, ['libraries', 'install', 'browser-use'], only)
  const { code, stderr } = await request.ended
  expect([code, stderr.trim().split('\n')]).toEqual([
    1,
    [expect.stringMatching(/^Browser Use could not be installed: .*(browser-use==|pip|python3)/)],
  ])
  expect(existsSync(join(data, 'libraries')) ? readdirSync(join(data, 'libraries')) : []).toEqual(
    [],
  )
  const doctor = await proofboardHere(data, ['libraries', 'doctor', 'browser-use'])
  expect([doctor.code, doctor.stdout]).toEqual([
    1,
    expect.stringContaining('is not installed: proofboard libraries install browser-use'),
  ])
})

/** Its package is on no registry of these tests: a stand-in with the same API takes its place. */
function installStandIn(): void {
  const folder = join(data, 'libraries', 'browser-use@0.13.8')
  const packages = join(folder, 'packages')
  mkdirSync(join(packages, 'browser_use-0.13.8.dist-info'), { recursive: true })
  cpSync(join(PROJECT_ROOT, 'lib/testing/fixtures/browser_use'), join(packages, 'browser_use'), {
    recursive: true,
  })
  const python = { python: '/usr/bin/python3', prefix: '/usr' }
  writeFileSync(join(folder, 'python.json'), JSON.stringify(python))
}

const turn = (action: object) => ({ say: JSON.stringify({ action: [action] }) })
/** Runs `code` once the page has what it works on. */
const onceThere = (ready: string, code: string) => {
  const poll = `new Promise((end) => {
    const look = () => { ${ready} ? end() : setTimeout(look, 50) }
    look()
  }).then(() => { ${code} })`
  return turn({ evaluate: { code: poll } })
}
const choose = (id: string, value: string) =>
  `const list = document.getElementById('${id}')
  list.value = '${value}'
  list.dispatchEvent(new Event('change', { bubbles: true }))`
const shows = (text: string) => `document.querySelector('#found')?.textContent.includes('${text}')`
const LINK = `[...document.querySelectorAll('#rows .company a')].find((link) => link.textContent === 'Fennel Paper')`
const FIELD = `document.querySelector('#new-note')`
const NOTE = 'Oldest unpaid invoice: INV-20750, due 17 Sep 2025'
const WRITE = `
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(${FIELD}), 'value').set.call(${FIELD}, '${NOTE}')
  ${FIELD}.dispatchEvent(new Event('input', { bubbles: true }))`
const TURNS = [
  onceThere(shows('240 customers'), choose('filter-status', 'overdue')),
  onceThere(shows('overdue'), choose('filter-country', 'Netherlands')),
  onceThere(LINK, `${LINK}.click()`),
  onceThere(FIELD, WRITE),
  onceThere(FIELD, `document.querySelector('#add-note').click()`),
  onceThere(`document.querySelector('#notes li')`, ''),
  turn({ done: { text: 'The note is added.', success: true } }),
]

it('drives the browser by its own loop in Python, through the gateway', {
  tags: 'chromium',
}, async () => {
  installStandIn()
  const [script, out] = [join(root, 'script.json'), join(root, 'out')]
  writeFileSync(script, JSON.stringify({ turns: TURNS }))
  const { stderr } = await startProofboard(data, [
    ...['run', '--suite', 'browser', '--tasks', 'console-unpaid-note', '--subject', 'browser-use'],
    ...['--model', 'scripted', '--script', script, '--out', out],
  ]).ended
  const [episode] = episodesIn(out)
  expect(episode, stderr).toMatchObject({
    outcome: { status: 'solved' },
    subject: { name: 'browser-use', version: '0.13.8', adapterVersion: '1+loop.1+prompt.1' },
    browser: { driven: 'llm', libraryError: null },
    effort: { steps: 7 },
  })
})
