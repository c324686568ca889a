import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const BROWSER = ['run', '--suite', 'browser', '--tasks', 'shop-sort-wishes']
const PLAYWRIGHT = [...BROWSER, '--subject', 'playwright']
const TYPESCRIPT = ['run', '--suite', 'typescript', '--tasks', 'lru-cache']

async function expectRefused(args: readonly string[], words: string, env = {}) {
  const [data, out] = [join(root, 'data'), join(root, 'out')]
  const { code, stdout, stderr } = await proofboardHere(data, [...args, '--out', out], env)
  expect(stderr).toContain(words)
  expect(stderr.trim().split('\n')).toHaveLength(1)
  expect([code, stdout]).toEqual([2, ''])
  expect([existsSync(out), readdirSync(root)]).toEqual([false, []])
}

describe('what a browser run cannot do is one line, exit code 2, and nothing written', () => {
  it.each([
    [
      'a Chromium that is not there',
      '/nowhere',
      'PROOFBOARD_CHROMIUM=/nowhere is not an executable program',
    ],
    ['a program that is not a browser', '/bin/true', '/bin/true does not print its version'],
  ])('%s', (_, chromium, words) =>
    expectRefused(PLAYWRIGHT, words, { PROOFBOARD_CHROMIUM: chromium }),
  )

  it.each([
    [
      [...BROWSER, '--subject', 'playwrigt'],
      'unknown browser library "playwrigt": did you mean playwright, playwright-mcp? Else name the file of your own: --library-file FILE',
    ],
    [[...BROWSER, '--subject', 'claude'], 'unknown browser library "claude": choose from'],
    [[...TYPESCRIPT, '--subject', 'playwright'], 'unknown subject "playwright": choose from'],
    [[...PLAYWRIGHT, '--fault', 'stal'], 'unknown browser fault "stal": did you mean stall?'],
    [[...PLAYWRIGHT, '--isolation', 'docker'], 'remove --isolation docker'],
    [[...BROWSER, '--command', 'true'], '--command and --agent-file need an exercise suite'],
    [[...PLAYWRIGHT, '--model', 'scripted'], '"playwright" is not an MCP server'],
    [[...PLAYWRIGHT, '--temperature', '0'], '--temperature cannot be enforced'],
    [
      [...TYPESCRIPT, '--subject', 'nop', '--browser', 'cold'],
      '--browser is only for browser suites',
    ],
  ])('%j', (args, words) => expectRefused(args, words))

  it('names the task that does not take the fault, and what it takes', () =>
    expectRefused(
      [
        ...['run', '--suite', 'browser', '--subject', 'playwright', '--fault', 'overlay'],
        ...['--tasks', 'shop-sort-wishes,tiddlywiki-write-a-note'],
      ],
      '--fault overlay cannot be injected into tiddlywiki-write-a-note, which supports stall,',
    ))

  it('a library that is not installed', () =>
    expectRefused([...BROWSER, '--subject', 'openchrome'], 'set PROOFBOARD_OPENCHROME', {
      PROOFBOARD_OPENCHROME: '',
    }))
})
