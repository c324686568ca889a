import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { lastJson, startProofboard } from '#lib/testing/factories/proofboard-command.ts'
import { PROJECT_ROOT } from '../suites/project-paths.ts'

const folder = mkdtempSync(join(tmpdir(), 'proofboard-doctor-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const data = join(folder, 'data')
const none = join(folder, 'none')
const only = (...checks: string[]) => ['doctor', ...checks.flatMap((one) => ['--only', one])]

it('says ok, WARN and FAIL, and exits with 1 on FAIL alone', async () => {
  const args = only('suites', 'chromium', 'temporary disk')
  const env = { PROOFBOARD_CHROMIUM: none }
  const warned = await startProofboard(data, args, env).ended
  expect(warned.stdout).toMatch(/^WARN chromium .*\nok {3}temporary disk .*\nok {3}suites .*\n$/)
  const failed = await startProofboard(data, args, { ...env, TMPDIR: none }).ended
  expect(failed.stdout).toMatch(
    /^FAIL temporary disk {9}there is no usable temporary folder: \S+none does not exist\. Set TMPDIR .*$/m,
  )
  expect([warned.code, failed.code]).toEqual([0, 1])
})

it('names the command that gives agents a sandbox', () => {
  // The complete machine, with a bwrap that does not start.
  const hide = ['bwrap', '--dev-bind', '/', '/', '--ro-bind', '/dev/null', '/usr/bin/bwrap']
  const walls = existsSync('/usr/bin/bwrap') ? hide : []
  const cli = join(PROJECT_ROOT, 'runner', 'cli', 'proofboard.mjs')
  const words = [...walls, process.execPath, cli, ...only('default isolation'), '--json']
  const [program = '', ...args] = words
  const env = { ...process.env, PROOFBOARD_DATA_DIR: data, DOCKER_HOST: 'unix:///none' }
  const { status, stdout } = spawnSync(program, args, { env, encoding: 'utf8' })
  expect(lastJson(stdout)).toMatchObject({
    ok: true,
    findings: [
      {
        check: 'default isolation',
        status: 'warn',
        ok: true,
        fix: expect.stringMatching(/install|add|-S|brew/),
      },
    ],
  })
  expect(status).toBe(0)
})

it('refuses a check that does not exist', async () => {
  const { code, stderr } = await startProofboard(data, only('weather')).ended
  expect(stderr).toMatch(/^there is no check "weather": use one of node, .*suites\n$/)
  expect(code).toBe(2)
})

it('is what a run without a temporary folder needs: it is refused before its plan', async () => {
  const out = join(folder, 'run')
  const args = ['run', '--suite', 'typescript', '--subject', 'nop', '--first', '1', '--out', out]
  const { code, stdout, stderr } = await startProofboard(data, args, { TMPDIR: none }).ended
  expect(stderr).toMatch(/^there is no usable temporary folder: \S+ does not exist\. [^\n]*\n$/)
  expect([code, stdout, existsSync(out)]).toEqual([1, '', false])
})
