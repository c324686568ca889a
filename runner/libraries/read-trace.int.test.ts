import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { readTrace } from './read-trace.ts'

const folder = mkdtempSync(join(tmpdir(), 'proofboard-trace-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const NOTHING = { actions: [], report: null }
const action = { step: 'a', action: 'click', target: null, startMs: 1, durationMs: 2, error: null }
const report = {
  ending: 'finished',
  connectMs: 1,
  libraryError: null,
  rung: null,
  firstErrorAt: null,
  resultBytes: null,
  resultTokens: null,
}

function write(...lines: unknown[]): string {
  const path = join(folder, `${Math.random()}`)
  writeFileSync(
    path,
    lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
  )
  return path
}

it('reads actions and the report', async () => {
  expect(await readTrace(write({ action }, { action }, { report }), 9)).toEqual({
    actions: [action, action],
    report,
  })
})

it('leaves out what has another shape, and keeps the rest', async () => {
  const path = write(
    'not json',
    '{"action":',
    { action: { ...action, durationMs: -1 } },
    { action: { ...action, step: 'x'.repeat(201) } },
    { report: { ...report, ending: 'solved' } },
    {
      report: {
        ...report,
        libraryError: { step: null, action: null, message: 'x'.repeat(20_000) },
      },
    },
    { action: { ...action, constructor: 'x', verdict: 'solved' } },
    'null',
    '[]',
  )
  expect(await readTrace(path, 9)).toEqual({ actions: [action], report: null })
})

it('keeps no more actions than there may be', async () => {
  expect((await readTrace(write(...Array(50).fill({ action })), 7)).actions).toHaveLength(7)
})

it('reads no more than its share of a flood', async () => {
  const path = join(folder, 'flood')
  writeFileSync(
    path,
    `${JSON.stringify({ action })}\n${'x'.repeat(5 << 20)}\n${JSON.stringify({ report })}`,
  )
  expect(await readTrace(path, 9)).toEqual({ actions: [action], report: null })
})

it('follows no link, waits for no pipe, and takes nothing for an empty trace', async () => {
  const link = join(folder, 'link')
  symlinkSync(write({ report }), link)
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  for (const path of [link, pipe, folder, join(folder, 'none')])
    expect(await readTrace(path, 9)).toEqual(NOTHING)
})
