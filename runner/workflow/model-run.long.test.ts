import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { episodesIn } from '#lib/testing/factories/chromium.ts'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import { lastJson } from '#lib/testing/factories/proofboard-command.ts'

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const usage = { input: 1000, output: 40 }
const call = (tool: string, input: unknown = {}) => ({
  call: { tool: `browser_${tool}`, input },
  usage,
})
const LOOK = call('snapshot')
const ref = (element: string) => ({ $match: `${element}.*?\\[ref=(\\w+)\\]` })
const FOUND = 'Oldest unpaid invoice: INV-20750, due 17 Sep 2025'

/** Finds the customer by name, so that the script need not read the table. */
const SOLVE = [
  call('navigate', { url: { $match: 'back office at (http\\S+/customers)' } }),
  call('wait_for', { text: 'Fennel Paper' }),
  LOOK,
  call('type', { target: ref('searchbox "Search customers"'), text: 'Fennel Paper' }),
  call('wait_for', { text: 'Fennel Paper' }),
  LOOK,
  call('click', { target: ref('link "Fennel Paper"') }),
  call('wait_for', { text: 'Internal notes' }),
  LOOK,
  call('type', { target: ref('textbox "New note"'), text: FOUND }),
  call('click', { target: ref('button "Add note"') }),
  call('wait_for', { text: FOUND }),
  { say: 'The note is added.', usage },
]

const PINS = ['--max-steps', '30', '--max-tokens', '100000', '--max-cost', '1']
const proofboard = (...args: string[]) => proofboardHere(join(root, 'data'), args)

async function drive(turns: readonly unknown[], name: string, pins: readonly string[]) {
  const [script, out] = [join(root, `${name}.json`), join(root, name)]
  writeFileSync(script, JSON.stringify({ turns }))
  const { stderr } = await proofboard(
    ...['run', '--suite', 'browser', '--tasks', 'console-unpaid-note'],
    ...['--subject', 'playwright-mcp', '--model', 'scripted', '--script', script],
    ...['--record', '--out', out, ...pins],
  )
  const [episode] = episodesIn(out)
  if (!episode) throw new Error(stderr)
  const { stdout } = await proofboard('check', join(out, 'result.json'), '--json')
  const [row] = lastJson(stdout).rows as { reasons: { code: string; text: string }[] }[]
  return { episode, reasons: row?.reasons ?? [] }
}

describe('a model that drives an MCP server', { tags: 'chromium' }, () => {
  it('solves a workflow, metered, recorded and with nothing missing of its pins', async () => {
    const { episode, reasons } = await drive(SOLVE, 'solve', [...PINS, '--temperature', '0'])
    expect(episode).toMatchObject({
      outcome: { status: 'solved' },
      mode: 'mock',
      browser: { driven: 'llm', targeting: 'ref', libraryError: null },
      usage: { tokens: { input: 13_000, output: 520 } },
    })
    expect(episode.effort?.toolCalls).toMatchObject({ browser_navigate: 1, browser_snapshot: 3 })
    expect(episode.browser?.resultTokens).toBeGreaterThan(1000)
    expect(episode.evidence.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        ...['calls.ndjson', 'steps.ndjson', 'final.png', 'final-state.json', 'transcript.jsonl'],
      ]),
    )
    expect(episode.evidence.map(({ role }) => role)).toContain('gateway-recording')
    const codes = reasons.map(({ code }) => code)
    expect(codes).toContain('mode')
    expect(codes).not.toContain('llm-pins')
  }, 120_000)

  it('is unranked when a pin is missing, and the evidence rules name it', async () => {
    const { episode, reasons } = await drive([{ say: 'I would rather not.', usage }], 'unpinned', [
      ...PINS.slice(0, -1),
      'none',
    ])
    expect(episode.outcome.status).toBe('unsolved')
    expect(reasons.find(({ code }) => code === 'llm-pins')?.text).toMatch(/cost/)
  }, 90_000)
})
