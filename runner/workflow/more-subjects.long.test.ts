import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { episodesIn } from '#lib/testing/factories/chromium.ts'
import { lastJson, startProofboard } from '#lib/testing/factories/proofboard-command.ts'

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const TASK = ['--suite', 'browser', '--tasks', 'console-unpaid-note']
const FOUND = 'Oldest unpaid invoice: INV-20750, due 17 Sep 2025'
const proofboard = (...args: string[]) => startProofboard(join(root, 'data'), args).ended
const value = (name: string) => `'\${${name}}'`

/** Playwright's server as any user would describe it, with CSS selectors for elements. */
const FILE = `
schemaVersion: 1
name: my-mcp
title: My MCP server
package: '@playwright/mcp'
command: node
args: ['\${package}/cli.js', --cdp-endpoint, ${value('endpoint')}, --timeout-action, ${value('timeoutMs')}]
actions:
  open: { tool: browser_navigate, args: { url: ${value('url')} } }
  click: { tool: browser_click, args: { target: ${value('css')} } }
  fill: { tool: browser_type, args: { target: ${value('css')}, text: ${value('text')} } }
  select: { tool: browser_select_option, args: { target: ${value('css')}, values: [${value('option')}] } }
  evaluate: { tool: browser_evaluate, args: { function: '() => \${script}' } }
`

describe('a subject that no adapter was written for', { tags: 'chromium' }, () => {
  it('is an MCP server of a file: listed, planned, played by the script of every library', async () => {
    const file = join(root, 'my.yaml')
    writeFileSync(file, FILE)
    const given = ['--library-file', file]
    const listed = lastJson((await proofboard('libraries', ...given, '--json')).stdout)
    expect(listed.libraries).toContainEqual(
      expect.objectContaining({ name: 'my-mcp', driven: ['scripted', 'llm'], missing: null }),
    )
    const out = join(root, 'file')
    const { stderr } = await proofboard('run', ...TASK, ...given, '--out', out)
    const [episode] = episodesIn(out)
    expect(stderr).toMatch(/^isolation: (bubblewrap|none) around the library/m)
    expect([episode?.outcome, episode?.browser?.libraryError]).toMatchObject([
      { status: 'solved' },
      null,
    ])
    expect(episode).toMatchObject({
      subject: { kind: 'library', name: 'my-mcp', version: '0.0.83', targeting: 'css' },
      browser: { driven: 'scripted' },
    })
    expect(episode?.subject.adapterVersion).toMatch(
      /^file\.1\.[0-9a-f]{12}\+[0-9a-f]{12}\+[0-9a-f]{8}$/,
    )
    const { load, harnessParts = {} } = episode?.browser ?? {}
    expect(load?.wantedMs).toBeGreaterThan(100)
    expect(load?.waitedMs).toBeLessThanOrEqual(load?.wantedMs ?? 0)
    expect(Object.keys(harnessParts)).toEqual(
      expect.arrayContaining([
        'lease browser',
        'open app',
        'find page',
        'screenshot',
        'reset browser',
      ]),
    )
  }, 240_000)

  it('is a screen: pictures out, coordinates and keys in, metered as any model', async () => {
    const tabs = (count: number) => 'Tab '.repeat(count).trim()
    const computer = (action: string, more = {}) => ({
      call: { tool: 'computer', input: { action, ...more } },
    })
    const links = 5
    const script = join(root, 'screen.json')
    const turns = [
      computer('screenshot'),
      computer('key', { text: tabs(links + 1) }),
      computer('type', { text: 'Fennel Paper' }),
      computer('wait', { duration: 2 }),
      computer('key', { text: tabs(13) }),
      computer('key', { text: 'Return' }),
      computer('wait', { duration: 2 }),
      computer('key', { text: tabs(links + 2) }),
      computer('type', { text: FOUND }),
      computer('key', { text: 'Tab' }),
      computer('key', { text: 'Return' }),
      computer('wait', { duration: 1 }),
      { say: 'The note is added.' },
    ]
    writeFileSync(script, JSON.stringify({ turns }))
    const out = join(root, 'screen')
    const { stderr } = await proofboard(
      ...['run', ...TASK, '--subject', 'computer-use', '--model', 'scripted', '--script', script],
      ...['--max-steps', '30', '--max-tokens', '100000', '--record', '--out', out],
    )
    const [episode] = episodesIn(out)
    expect(episode, stderr).toMatchObject({
      outcome: { status: 'solved' },
      mode: 'mock',
      subject: { name: 'computer-use', adapterVersion: '1+loop.1+prompt.1' },
      browser: { driven: 'llm', targeting: 'coordinates', libraryError: null },
      effort: { steps: turns.length, toolCalls: { computer: turns.length - 1 } },
      usage: { tokens: { input: 100 * turns.length } },
    })
  }, 240_000)
})
