import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const proofboard = (...args: string[]) => proofboardHere(join(root, 'data'), args)

describe('bad input is one line and exit code 2', () => {
  it.each([
    [
      ['run', '--suite', 'typescrip', '--subject', 'nop'],
      'unknown suite "typescrip": did you mean typescript?',
    ],
    [
      ['run', '--suite', 'typescript', '--subject', 'refrence'],
      'unknown subject "refrence": did you mean reference?',
    ],
    [
      ['run', '--suite', 'typescript', '--subject', 'nop', '--tasks', 'lru-cahce'],
      'unknown task "lru-cahce": did you mean lru-cache?',
    ],
    [
      ['run', '--suite', 'typescript', '--subject', 'nop', '--shard', '9/8'],
      '--shard must be i/n with 1 <= i <= n',
    ],
    [
      ['run', '--suite', 'typescript', '--subject', 'nop', '--repetitions', '0'],
      '--repetitions must be a whole number from 1',
    ],
    [['run'], 'no run specified'],
    [['rum'], 'did you mean run'],
    [['check', '/nowhere/result.json'], 'cannot read /nowhere/result.json: ENOENT'],
    [['check', '/dev/zero'], 'cannot read /dev/zero: it is a device, not a file'],
    [['run', '--plan', '/etc'], 'cannot read /etc: it is a folder, not a file'],
    [['run', '--plan', 'a\u001b[31m\nb'], 'cannot read a⟨U+001B⟩[31m⟨U+000A⟩b: ENOENT'],
    [['publish', '/etc', '--to', 'out', '--keep', '/etc/passwd'], '/etc contains no result.json'],
    [
      ['merge', 'x'.repeat(5000), '--out', 'out'],
      'does not exist: enter the folders of the shards',
    ],
    [['judge', '/etc/passwd', '--task', 'lru-cache'], '/etc/passwd is not a folder'],
    [
      ['run', '--suite', 'typescript', '--subject', 'nop', '--replay', '/tmp', '--out', 'out'],
      '"nop" does not call a model through the gateway, so --replay would change nothing: remove it',
    ],
    [
      ['run', '--suite', 'typescript', '--subject', 'nop', '--agent-version', 'latest'],
      '--agent-version must be an exact version such as 2.1.330, or path, not "latest"',
    ],
    [
      ['run', '--suite', 'typescript', '--subject', 'nop', '--max-cots', '2'],
      "unknown option '--max-cots': did you mean --max-cost?",
    ],
    [
      ['run', '--suite', 'typescript', '--subject', 'nop', '--out', ''],
      '--out is empty: give it a value, or leave it out',
    ],
    [['check', ''], 'an argument is empty'],
    [['run', '--suite'], "option '--suite <name|path>' argument missing"],
  ])('%j', async (args, words) => {
    const { code, stdout, stderr } = await proofboard(...(args as string[]))
    expect(stderr).toContain(words)
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect([code, stdout]).toEqual([2, ''])
  })

  it.each([
    [['suite', 'list', '--bogus', '--json'], "unknown option '--bogus'"],
    [['check', '--json'], "missing required argument 'paths'"],
    [['compare', '--json', 'a', 'b'], "unknown option '--json'"],
    [
      ['plan', '--suite', 'typescript', '--subject', 'nop', '--json', '--out', tmpdir()],
      `${tmpdir()} is a`,
    ],
    [['backup', 'create', '--to', '', '--json'], '--to is empty: give it a value, or leave it out'],
    [['ledger', 'verify', '--bogus', '--json'], "unknown option '--bogus'"],
    [['ledger', 'add', 'remove', ' ', '--reason', 'x', '--json'], 'an argument is empty'],
  ])('%j answers programs too', async (args, words) => {
    const { code, stdout, stderr } = await proofboard(...args)
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)])
    expect(JSON.parse(stdout)).toMatchObject({
      refusals: [{ message: expect.stringContaining(words) }],
    })
  })

  it('leaves what is in a folder that is not a run', async () => {
    const out = join(root, 'out')
    const nop = ['run', '--suite', 'typescript', '--subject', 'nop', '--first', '1', '--out', out]
    for (const [name, text] of [
      ['result.json', 'mine'],
      ['plan.json', '{"schemaVersion":99}'],
    ] as const) {
      mkdirSync(out)
      writeFileSync(join(out, name), text)
      const { code, stderr } = await proofboard(...nop)
      expect([code, stderr]).toEqual([1, expect.stringContaining(`${name} would be overwritten`)])
      expect([readdirSync(out), readFileSync(join(out, name), 'utf8')]).toEqual([[name], text])
      rmSync(out, { recursive: true })
    }
  })

  it('says once what is wrong for every agent', async () => {
    const { code, stderr } = await proofboard('run', '--all-agents', '--suite', 'typescrip')
    expect([code, stderr]).toEqual([2, 'unknown suite "typescrip": did you mean typescript?\n'])
  })

  it('refuses an edited plan and an edited result', async () => {
    const plan = join(root, 'plan.json')
    await proofboard(
      'plan',
      '--suite',
      'typescript',
      '--subject',
      'nop',
      '--tasks',
      'lru-cache',
      '--out',
      plan,
    )
    writeFileSync(plan, readFileSync(plan, 'utf8').replace('"repetitions": 1', '"repetitions": 2'))
    const { code, stderr } = await proofboard('run', '--plan', plan, '--out', join(root, 'out'))
    expect([code, existsSync(join(root, 'out'))]).toEqual([2, false])
    expect(stderr).toContain('was edited after it was frozen')
  })
})
