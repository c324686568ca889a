import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { installNode } from '#lib/testing/factories/install-runtime.ts'
import {
  type CommandEnd,
  lastJson,
  readMeasuredBundle,
  startProofboard,
  temporarySuite,
} from '#lib/testing/factories/proofboard-command.ts'
import { lacking } from '#lib/testing/needs.ts'

/** Long-term versions besides the oldest supported one, which all tests use. */
const VERSIONS = ['22.23.3', '24.21.0']

for (const version of VERSIONS) {
  const node = await installNode(version)
  const program = node.ok ? node.program : ''

  const lacks = node.ok ? null : `Node ${version}: ${node.reason}`
  const how = { timeout: 180_000, ...lacking(lacks) }

  describe(`the command line under Node ${version}`, how, () => {
    let folder: string
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'proofboard-node-'))
      temporarySuite(folder, 'small', ['lru-cache'])
    })
    afterAll(() => rmSync(folder, { recursive: true, force: true }))

    const proofboard = (line: string): Promise<CommandEnd> =>
      startProofboard(folder, line.split(' '), {}, program).ended

    it('says its version, what the machine has, and which suites there are', async () => {
      const ends = await Promise.all(['--version', 'doctor', 'suite list'].map(proofboard))
      const [data, doctor, suites] = ends
      expect([data?.code, doctor?.code, suites?.code], doctor?.stderr).toEqual([0, 0, 0])
      expect(data?.stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
      expect(doctor?.stdout).toContain(version)
      expect(suites?.stdout).toContain('small')
      for (const { stderr } of ends) expect(stderr).not.toMatch(/Warning|deprecated/i)
    })

    it.each([
      ['reference', 'solved'],
      ['nop', 'unsolved'],
      ['cheater', 'tampered'],
    ])('runs an episode of %s, which ends as %s', async (subject, status) => {
      const out = join(folder, subject)
      const end = await proofboard(`run --suite small --subject ${subject} --out ${out} --json`)
      expect(end.code, end.stderr).toBe(0)
      expect(end.stderr).not.toMatch(/Warning|deprecated/i)
      expect(lastJson(end.stdout)).toMatchObject({ planned: 1, sealed: 1 })
      const { lock, episodes } = readMeasuredBundle(join(out, 'result.json'))
      expect(lock.node).toBe(`v${version}`)
      expect(episodes.map(({ outcome }) => outcome.status)).toEqual([status])
      const check = await proofboard(`check ${join(out, 'result.json')} --json`)
      expect(lastJson(check.stdout)).toMatchObject({ ok: true, episodes: 1 })
    })
  })
}
