import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { episodesIn } from '#lib/testing/factories/chromium.ts'
import { startProofboard } from '#lib/testing/factories/proofboard-command.ts'

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const keys = (method: 'press' | 'type', value: string, repeat = 1) => ({
  call: { tool: 'keys', input: { method, value, repeat } },
})
const wait = (timeMs: number) => ({ call: { tool: 'wait', input: { timeMs } } })

/** Uses only the keyboard, so that the script need not read the page. */
const TURNS = [
  ...[keys('press', 'Tab', 6), keys('type', 'Fennel Paper'), wait(2000)],
  ...[keys('press', 'Tab', 13), keys('press', 'Enter'), wait(2000), keys('press', 'Tab', 7)],
  keys('type', 'Oldest unpaid invoice: INV-20750, due 17 Sep 2025'),
  ...[keys('press', 'Tab'), keys('press', 'Enter'), wait(1000)],
  { say: 'The note is added.' },
]

describe('a library with a model loop of its own', { tags: 'chromium' }, () => {
  it('is installed when it is asked for, and works through the gateway', async () => {
    const data = join(root, 'data')
    const installed = await startProofboard(data, ['libraries', 'install', 'stagehand']).ended
    expect(installed.stderr).toBe('')
    const [script, out] = [join(root, 'script.json'), join(root, 'out')]
    writeFileSync(script, JSON.stringify({ turns: TURNS }))
    const { stderr } = await startProofboard(data, [
      ...['run', '--suite', 'browser', '--tasks', 'console-unpaid-note', '--subject', 'stagehand'],
      ...['--model', 'scripted', '--script', script, '--max-steps', '30', '--out', out],
    ]).ended
    const [episode] = episodesIn(out)
    expect(episode, stderr).toMatchObject({
      outcome: { status: 'solved' },
      subject: { name: 'stagehand', version: '3.7.3', adapterVersion: '1+loop.1+prompt.1' },
      browser: { driven: 'llm', libraryError: null },
      effort: { toolCalls: { keys: 8, wait: 3 } },
    })
  }, 600_000)
})
