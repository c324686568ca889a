import { expect, it } from 'vitest'
import { ensureBuilt } from '../../../setup/build.mjs'
import { runCommand } from '../../../setup/process.mjs'

it('kill -9 of web, worker, runner and agent, a hundred times or for 90 s, loses and repeats nothing', async () => {
  await ensureBuilt()
  const program = 'lib/testing/chaos/kill/test-kill.mjs'
  const { code, output } = await runCommand(process.execPath, [
    ...[program, '--times', '100', '--within', '90'],
  ])
  expect(code, output).toBe(0)
})
