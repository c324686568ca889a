import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { settleEnv } from '#lib/env.ts'
import { readSandboxFix } from '#lib/server/board/sandbox-fix.ts'
import { databaseForEach } from '#lib/testing/factories/database-for-each.ts'
import { followSandbox } from './follow-sandbox.ts'

const temporary = databaseForEach()

/** Uses a runner whose doctor reports this. */
function useRunner(finding: object): void {
  const runner = join(temporary.dir, 'runner.mjs')
  const result = JSON.stringify({ ok: true, findings: [finding] })
  writeFileSync(runner, `console.log(${JSON.stringify(result)})`)
  vi.stubEnv('PROOFBOARD_RUNNER', runner)
  settleEnv(process.cwd())
}

it('says on the terminal and to the pages what gives agents a sandbox, until they have one', async () => {
  const written = vi.spyOn(process.stderr, 'write')
  useRunner({ check: 'default isolation', status: 'warn', fix: 'sudo dnf install bubblewrap' })
  const stop = new AbortController()
  const following = followSandbox({ signal: stop.signal })
  const command = 'sudo dnf install bubblewrap'
  await vi.waitUntil(() => readSandboxFix() !== null, { timeout: 30_000 })
  expect(readSandboxFix()).toEqual({ command })
  stop.abort()
  await following
  const lines = written.mock.calls
    .map(([text]) => String(text))
    .filter((text) => text.includes(command))
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 'warn',
    message: `agents run without a sandbox on this machine, so their entries are not ranked. To fix it: ${command}`,
  })
  useRunner({ check: 'default isolation', status: 'ok' })
  await followSandbox({ signal: new AbortController().signal })
  expect(readSandboxFix()).toBeNull()
})
