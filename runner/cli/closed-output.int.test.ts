import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'

const root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Runs a command whose readers are gone before its first output, as after `| head`. */
async function unread(args: readonly string[], streams: readonly ('stdout' | 'stderr')[]) {
  const env = { ...process.env, PROOFBOARD_DATA_DIR: join(root, 'data') }
  const child = spawn(process.execPath, ['runner/cli/proofboard.mjs', ...args], { env })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  for (const name of streams) child[name].destroy()
  const [code] = await once(child, 'close')
  return { code, said }
}

it('a reader that goes away ends no run, and is not a failure', { tags: 'night' }, async () => {
  const out = join(root, 'out')
  const nop = ['--suite', 'typescript', '--subject', 'nop', '--first', '1', '--out', out]
  const run = await unread(['run', ...nop], ['stdout', 'stderr'])
  expect([run.code, existsSync(join(out, 'result.json'))]).toEqual([0, true])
  for (const args of [
    ['suite', 'list'],
    ['export', out, '--format', 'inspect'],
  ])
    expect(await unread(args, ['stdout'])).toEqual({ code: 0, said: '' })
})

it('output that cannot be written is a failure', { tags: 'linux' }, async () => {
  const full = openSync('/dev/full', 'w')
  const args = ['runner/cli/proofboard.mjs', 'suite', 'list']
  const child = spawn(process.execPath, args, { stdio: ['ignore', full, 'pipe'] })
  closeSync(full)
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const [code] = await once(child, 'close')
  expect([code, said]).toEqual([1, 'the output cannot be written (ENOSPC)\n'])
})
