import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeToolAgent } from '#lib/testing/factories/echo-agent.ts'
import type { Isolation } from '../../sandbox/isolation/isolation.ts'
import { local } from '../../sandbox/isolation/local.ts'
import { findUnreachableAgent } from './agent-program.ts'
import { parseAgent } from './load-agents.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const sandbox: Isolation = { ...local, level: 'bubblewrap' }

function find(change: (binary: string) => void, isolation = sandbox) {
  const agent = parseAgent(writeToolAgent(root), 'agent.yaml')
  change(agent.binary)
  return findUnreachableAgent(agent, { binary: agent.binary, node: null }, { isolation, env: {} })
}

describe("an agent's program in a sandbox", { tags: 'root' }, () => {
  it('is fine where every user may run it', async () => {
    expect(await find(() => {})).toBeNull()
  })

  it.each([
    ['its folder', (binary: string) => chmodSync(dirname(binary), 0o700)],
    ['the program', (binary: string) => chmodSync(binary, 0o700)],
  ])('is refused before it starts when %s is closed to others', async (_, close) => {
    expect(await find(close)).toMatch(/^echo cannot be started in the sandbox, .*chmod -R o\+rX/)
    chmodSync(root, 0o755)
    expect(await find(close, local)).toMatch(/^echo cannot be started by the user/)
  })

  it('is refused at local when its folder is closed, though its path names a version', async () => {
    chmodSync(root, 0o700)
    expect(await find(() => {}, local)).toMatch(/^echo cannot be started by the user/)
    chmodSync(root, 0o755)
    expect(await find(() => {}, local)).toBeNull()
  })
})
