import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import { ASKS_ONCE, writeFakeAgent } from '#lib/testing/factories/fake-agent.ts'
import { lastJson } from '#lib/testing/factories/proofboard-command.ts'

const root = mkdtempSync(join(tmpdir(), 'proofboard-case-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const data = join(root, 'data')

function write(files: Record<string, string>): string {
  const folder = mkdtempSync(join(root, 'f-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

const CASE = {
  'greet/PROMPT.md': 'Write greet.txt with the word of word.txt in lower case.\n',
  'greet/word.txt': 'HELLO\n',
  'greet/check.sh': 'grep -qx hello greet.txt\n',
}
const SKILL = {
  'SKILL.md': '---\nname: greeter\ndescription: Greets.\n---\nWrite greet.txt.\n',
  'evals/files/word.txt': 'HELLO\n',
  'evals/greets.py': 'import sys\nsys.exit(open("greet.txt").read() != "hello\\n")\n',
}
const evals = (...list: object[]) => ({
  'evals/evals.json': JSON.stringify({ skill_name: 'greeter', evals: list }),
})
const FILES = { files: ['evals/files/word.txt'] }

const solveBy = (command: string) => [
  ...['--command', command, '--name', 'shell', '--subject-version', '1'],
  ...['--repetitions', '2', '--json'],
]
let runs = 0
async function run(suite: string, ...more: string[]) {
  runs += 1
  const out = join(root, `out-${runs}`)
  return proofboardHere(data, ['run', '--suite', suite, ...more, '--out', out])
}

describe('cases', { tags: 'bubblewrap' }, () => {
  it('are run at once, say that they are unproven, and are never ranked', async () => {
    const solved = await run(write(CASE), ...solveBy('tr A-Z a-z < word.txt > greet.txt'))
    expect(solved.stderr).toContain('1 task is unproven (greet)')
    expect(lastJson(solved.stdout)).toMatchObject({
      solved: 2,
      rows: [
        { reasons: expect.arrayContaining([expect.objectContaining({ code: 'unguessable' })]) },
      ],
    })
    const hidden = await run(
      write(CASE),
      ...solveBy('test ! -e check.sh && echo 1 > /logs/verifier/reward.txt'),
    )
    expect(lastJson(hidden.stdout)).toMatchObject({ solved: 0, unsolved: 2 })
  })

  it('are refused to a control that submits their solution, which they lack', async () => {
    const refused = await run(write(CASE), '--subject', 'reference')
    expect([refused.code, refused.stdout, refused.stderr.split('\n').length]).toEqual([2, '', 2])
    expect(refused.stderr).toContain(
      '"reference" cannot be run, because greet has no solution/solve.sh',
    )
  })

  it('are proven by a solution, and then another version of the task', async () => {
    const folder = write({
      ...CASE,
      'greet/solution/solve.sh': 'tr A-Z a-z < word.txt > greet.txt\n',
    })
    const show = async () =>
      lastJson((await proofboardHere(data, ['suite', 'show', folder, '--json'])).stdout) as {
        suite: { digest: string; tasks: { unproven?: true }[] }
      }
    const before = await show()
    const verified = await proofboardHere(data, ['suite', 'verify', folder, '--runs', '1'])
    expect(verified.stderr + verified.stdout).not.toContain('should')
    const after = await show()
    expect([before, after].map(({ suite }) => suite.tasks[0]?.unproven)).toEqual([true, undefined])
    expect(after.suite.digest).not.toBe(before.suite.digest)
  })

  it('count the expected behaviours of their front matter, which decide nothing', async () => {
    const expected = 'expect:\n  - called: Bash\n  - never-read: secret.txt\n  - max-calls: 1\n'
    const folder = write({
      ...CASE,
      'greet/PROMPT.md': `---\n${expected}---\n${CASE['greet/PROMPT.md']}`,
      'agent/placeholder': '',
      'script.json': JSON.stringify({
        turns: [{ call: { tool: 'Bash', input: { command: 'cat ./secret.txt' } } }],
      }),
    })
    const agent = join(folder, 'agent')
    const tools = 'tools: [{ name: "Bash", description: "", input_schema: { type: "object" } }]'
    const asks = ASKS_ONCE.replace('max_tokens: 9', `max_tokens: 9, ${tools}`)
    const work = 'tr A-Z a-z < word.txt > greet.txt'
    const { stdout, stderr } = await run(
      join(folder, 'greet'),
      ...['--agent-file', writeFakeAgent(agent, `${asks}; ${work}`)],
      ...['--provider', 'scripted', '--model', 'scripted-1'],
      ...['--script', join(folder, 'script.json'), '--json'],
    )
    expect([stderr, lastJson(stdout)]).toEqual([
      expect.anything(),
      expect.objectContaining({
        solved: 1,
        behaviour: [
          'called Bash: 1 of 1 episode',
          'never read secret.txt: 0 of 1 episode',
          'at most 1 tool call: 1 of 1 episode',
        ],
      }),
    ])
    const page = readFileSync(
      join(root, `out-${runs}`, 'episodes', 'greet', 'r1-a1', 'transcript.jsonl'),
      'utf8',
    )
    expect(page).not.toContain('never-read')
  })

  it('are the evals of a skill that have a check: a script of it, or a command', async () => {
    const folder = write({
      ...SKILL,
      ...evals(
        { id: 1, prompt: 'Greet.', ...FILES, check: 'evals/greets.py' },
        { id: 'Again', prompt: 'Greet.', ...FILES, check: 'grep -qx hello greet.txt' },
        { id: 3, prompt: 'Greet.', ...FILES, expectations: ['It greets.'] },
      ),
    })
    const { stdout, stderr } = await run(folder, ...solveBy('tr A-Z a-z < word.txt > greet.txt'))
    expect(stderr).toContain('eval 3 has no "check", and sentences are not judged')
    expect(lastJson(stdout)).toMatchObject({ planned: 4, solved: 4 })
  })
})

it('refuses what is not a case or not an eval, in one sentence', async () => {
  const refuse = async (files: Record<string, string>) => {
    const { code, stderr } = await run(write(files), ...solveBy('true'))
    expect(code).not.toBe(0)
    return stderr
  }
  expect(await refuse({ 'a/PROMPT.md': 'Do it.' })).toContain('a/PROMPT.md: has no check beside it')
  expect(await refuse({ ...CASE, 'greet/PROMPT.md': ' ' })).toContain('is empty')
  expect(
    await refuse({ ...CASE, 'greet/PROMPT.md': '---\nexpect:\n  - calls: 3\n---\nDo it.' }),
  ).toMatch(/greet\/PROMPT\.md: the front matter line 2: expect\.0/)
  expect(await refuse({ ...CASE, 'greet/check.py': '' })).toContain('has several checks')
  expect(await refuse({ 'a/PROMPT.md': 'Do it.', 'a/check.rb': '' })).toContain(
    'not one of check.sh',
  )
  expect(await refuse({ ...SKILL, 'evals/evals.json': '{' })).toContain('is not valid JSON')
  expect(await refuse({ ...SKILL, 'evals/evals.json': '[]' })).toContain('evals.json')
  expect(await refuse({ ...SKILL, ...evals({ id: 1, prompt: 'x' }) })).toContain('has no "check"')
  expect(
    await refuse({
      ...SKILL,
      ...evals({ id: 1, prompt: 'x', files: ['evals/no'], check: 'true' }),
    }),
  ).toContain('names evals/no, which is not there')
  expect(
    await refuse({ ...SKILL, ...evals({ id: 1, prompt: 'x', files: ['../x'], check: 'true' }) }),
  ).toContain('evals.0.files.0')
  expect(
    await refuse({
      ...SKILL,
      ...evals({ id: 1, prompt: 'x', check: 'a' }, { id: 1, prompt: 'x' }),
    }),
  ).toContain('two evals have the id 1')
})
