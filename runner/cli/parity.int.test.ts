import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { boardSchema } from '#lib/domain/board/index.ts'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import { lastJson, temporarySuite } from '#lib/testing/factories/proofboard-command.ts'
import { expandLine, refusalOf } from '#lib/testing/workflows/workflow-rules.ts'

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-parity-'))
  temporarySuite(join(root, 'data'), 'small', ['lru-cache', 'glob-matcher'])
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const proofboard = (...args: string[]) => proofboardHere(join(root, 'data'), args)
const place = (name: string) => join(root, name)

/** Options as listed by its `--help`. */
const TS_BENCH =
  `agent dataset model provider version verbose list exercise exercism-path task tasks task-limit docker
  show-progress test-only print-instructions custom-instruction timeout setup-auth output-format output-dir export-web
  all-agents save-result skip-leaderboard-refresh result-name result-dir batch total-batches help`.split(
    /\s+/,
  )

const rows = readFileSync('docs/command-line.md', 'utf8')
  .split('## Coming from ts-bench')[1]!
  .split('\n## ')[0]!
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')))
const optionsOf = (cell = '') => [...cell.matchAll(/`--([a-z-]+)/g)].map(([, name]) => name)
const commandsOf = (cell = '') =>
  [...cell.matchAll(/`(npx proofboard [^`]+)`/g)].map(([, one]) => one!)

describe('the table of ts-bench options', () => {
  it('has a line for each of them', () => {
    expect(rows.flatMap(([theirs]) => optionsOf(theirs)).sort()).toEqual([...TS_BENCH].sort())
  })

  it.each(rows)('%s', async (_theirs, ours) => {
    const commands = commandsOf(ours)
    expect(commands.length).toBeGreaterThan(0)
    for (const command of commands) {
      const [, ...words] = expandLine(command, {})
      if (words[0] !== 'help') expect([command, await refusalOf(words)]).toEqual([command, null])
    }
  })
})

describe('what is asked without running anything', () => {
  const printed = async (...more: string[]) =>
    lastJson(
      (
        await proofboard(
          ...['run', '--suite', 'small', '--subject', 'claude', '--print-instructions', '--json'],
          ...more,
        )
      ).stdout,
    ) as { instructions: { taskId: string; prompt: string; digest: string }[] }

  it('prints the prompt of each selected task, with the custom instruction at its end', async () => {
    const all = await printed()
    expect(all.instructions.map(({ taskId }) => taskId)).toEqual(['glob-matcher', 'lru-cache'])
    const [one] = (await printed('--first', '1')).instructions
    expect(one).toEqual(all.instructions[0])
    expect((await printed('--exercise', '1')).instructions).toEqual([one])
    expect((await printed('--exercise', 'glob-matcher')).instructions).toEqual([one])
    writeFileSync(place('hint.md'), 'Think first.\n')
    for (const hint of ['Think first.', place('hint.md')]) {
      const [hinted] = (await printed('--first', '1', '--custom-instruction', hint)).instructions
      expect(hinted?.prompt).toBe(`${one?.prompt}\n\n# Further instructions\n\nThink first.`)
      expect(hinted?.digest).not.toBe(one?.digest)
    }
  })

  it.each([
    [['--dataset', 'v2', '--subject', 'nop'], /SWE-Lancer/],
    [['--suite', 'small', '--subject', 'nop', '--first', '0'], /--first must be a whole number/],
    [['--suite', 'small', '--subject', 'nop', '--exercise', 'nothing'], /task "nothing"/],
    [
      ['--suite', 'small', '--subject', 'nop', '--custom-instruction', 'x'],
      /is not given a prompt/,
    ],
    [
      ['--suite', 'small', '--subject', 'nop', '--custom-instruction', ''],
      /must be a text of 1 to/,
    ],
    [['--suite', 'small', '--subject', 'nop', '--all-agents'], /remove --subject/],
    [['--suite', 'small', '--all-libraries', '--all-agents'], /not both/],
    [['--suite', 'small', '--all-libraries', '--subject', 'nop'], /every library in turn/],
    [['--suite', 'small', '--subject', 'nop', '--submit', 'nowhere'], /nowhere/],
  ])('refuses %j in one sentence', async (args, words) => {
    const { code, stderr } = await proofboard('run', ...args)
    expect([code, stderr.trim().split('\n').length]).toEqual([2, 1])
    expect(stderr).toMatch(words)
  })

  it('keeps a custom instruction in the plan, and has the usual digest without one', async () => {
    const plan = async (...more: string[]) => {
      const args = ['--suite', 'small', '--command', 'true', '--name', 'mine']
      const { stdout, stderr } = await proofboard(
        'plan',
        ...args,
        ...more,
        '--out',
        place('p.json'),
        '--json',
      )
      expect(stderr).not.toContain('must be')
      return (lastJson(stdout) as { plan: { settings: Record<string, unknown> } }).plan.settings
    }
    expect(await plan('--custom-instruction', 'Think.')).toMatchObject({
      customInstruction: 'Think.',
    })
    expect(Object.keys(await plan())).not.toContain('customInstruction')
  })
})

describe('judging code in a folder', () => {
  const judge = (folder: string, ...more: string[]) =>
    proofboard('judge', folder, '--suite', 'small', '--task', 'lru-cache', ...more)

  it('tells a solution from a stub, as text and as JSON', async () => {
    const task = 'exercises/typescript/lru-cache'
    mkdirSync(place('good'))
    cpSync(join(task, '.meta/reference.ts'), join(place('good'), 'lru-cache.ts'))
    mkdirSync(place('stub'))
    cpSync(join(task, 'lru-cache.ts'), join(place('stub'), 'lru-cache.ts'))
    const good = await judge(place('good'), '--json')
    expect([good.code, lastJson(good.stdout)]).toEqual([
      0,
      expect.objectContaining({
        taskId: 'lru-cache',
        status: 'solved',
        verdict: 'pass',
        findings: [],
      }),
    ])
    const stub = await judge(place('stub'))
    expect([stub.code, stub.stdout]).toEqual([
      1,
      expect.stringMatching(/^lru-cache: unsolved, 0 of \d+/),
    ])
  })

  it('refuses a folder without the code, and a task that is none', async () => {
    const empty = await judge(root)
    expect([empty.code, empty.stderr]).toEqual([2, expect.stringContaining('lru-cache.ts')])
    const none = await proofboard('judge', root, '--suite', 'small', '--task', 'nothing')
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('nothing')])
  })
})

describe('publishing without a server', () => {
  const publish = (...args: string[]) => proofboard('publish', ...args)

  it('writes the same bytes again, keeps what came before, and fills a document', async () => {
    for (const subject of ['reference', 'nop'])
      await proofboard(
        'run',
        '--suite',
        'small',
        '--subject',
        subject,
        '--first',
        '1',
        '--out',
        place(subject),
      )
    const readme = place('OURS.md')
    writeFileSync(readme, '# Ours\n<!-- proofboard:start --><!-- proofboard:end -->\nend\n')
    const to = ['--to', place('site'), '--keep', place('kept')]
    const first = await publish(place('reference'), ...to, '--readme', readme, '--json')
    expect(lastJson(first.stdout)).toMatchObject({ boards: 1, rows: 1, runs: 1, leftOut: [] })
    const second = await publish(place('nop'), ...to, '--readme', readme, '--json')
    expect(lastJson(second.stdout)).toMatchObject({ boards: 1, rows: 2, runs: 2 })
    const read = (name: string) => readFileSync(join(place('site'), name), 'utf8')
    const names = boardSchema
      .parse(JSON.parse(read('small.json')))
      .rows.map(({ subject }) => subject.name)
    expect(names.sort()).toEqual(['nop', 'reference'])
    expect(readFileSync(readme, 'utf8')).toMatch(
      /^# Ours\n<!-- proofboard:start -->\n\n### [\s\S]*nop[\s\S]*end\n$/,
    )
    const before = ['small.json', 'leaderboard.md', 'index.html'].map(read)
    await publish(place('reference'), place('nop'), '--to', place('site'))
    expect(['small.json', 'leaderboard.md', 'index.html'].map(read)).toEqual(before)
  })

  it.each([
    [['nowhere', '--to', 'x'], /nowhere does not exist/],
    [['.github', '--to', 'x'], /contains no result\.json/],
  ])('refuses %j in one sentence, and writes nothing', async (args, words) => {
    const { code, stderr } = await publish(...args)
    expect([code, stderr.trim().split('\n').length]).toEqual([2, 1])
    expect(stderr).toMatch(words)
  })
})

describe('tokens at the console', () => {
  it('creates one with its scopes and expiry, lists it without its secret, and revokes it by name', async () => {
    const none = await proofboard('tokens', 'list')
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('there is no database')])
    const { migrate } = await import('#lib/db/migrate.ts')
    migrate(join(root, 'data', 'proofboard.db'), 'prisma/sqlite/migrations')
    const made = await proofboard('tokens', 'create', 'ci', '--expires', '7')
    const secret = made.stdout.trim()
    expect([made.code, secret]).toEqual([0, expect.stringMatching(/^pb_[0-9A-Za-z]{43}$/)])
    const listed = await proofboard('tokens', 'list', '--json')
    expect(listed.stdout).not.toContain(secret)
    expect(lastJson(listed.stdout)).toMatchObject({
      tokens: [{ name: 'ci', scopes: ['results:write'], state: 'works', createdBy: 'console' }],
    })
    const ended = await proofboard('tokens', 'revoke', 'ci')
    expect([ended.code, ended.stdout.trim()]).toEqual([0, 'ci is revoked'])
    const again = await proofboard('tokens', 'revoke', 'ci')
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('already revoked')])
    const wrong = await proofboard('tokens', 'create', 'ci', '--expires', 'soon')
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('--expires must be')])
    const scope = await proofboard('tokens', 'create', 'ci', '--scope', 'everything')
    expect([scope.code, scope.stderr]).toEqual([2, expect.stringContaining('everything')])
  })
})
