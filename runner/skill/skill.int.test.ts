import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import { writeEchoAgent } from '#lib/testing/factories/echo-agent.ts'
import { lastJson } from '#lib/testing/factories/proofboard-command.ts'

const root = mkdtempSync(join(tmpdir(), 'proofboard-skill-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

function write(files: Record<string, string>): string {
  const folder = mkdtempSync(join(root, 'f-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

/** Greets if its rules say so, and never where they say that it must not. */
const PROGRAM = `#!/usr/bin/env node
const { existsSync, readFileSync, writeFileSync } = require('node:fs')
if (process.argv[2] === '--version') console.log('v1.2.3')
else {
  const rules = existsSync('AGENTS.md') ? readFileSync('AGENTS.md', 'utf8') : ''
  const body = JSON.stringify({ model: process.argv[3], max_tokens: 9, messages: [{ role: 'user', content: 'Greet.' }] })
  const headers = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01', 'x-api-key': process.env.ECHO_KEY }
  void fetch(process.env.ECHO_URL + '/v1/messages', { method: 'POST', headers, body })
  if (existsSync('evals')) throw new Error('evals are hidden')
  if (rules.includes('Greet') || existsSync('easy')) writeFileSync('greet.txt', rules.includes('Never') ? '' : 'hello')
}
`

function writeAgent(): string {
  const folder = mkdtempSync(join(root, 'agent-'))
  const binary = join(folder, 'agent.cjs')
  writeFileSync(binary, PROGRAM)
  for (const path of [root, folder, binary]) chmodSync(path, 0o755)
  const file = join(folder, 'agent.yaml')
  writeFileSync(file, writeEchoAgent(folder, { binary }))
  return file
}

const skill = (text: string, start: Record<string, string> = {}) => {
  const check = 'grep -qx hello greet.txt'
  const files = Object.keys(start)
  const evals = [1, 2, 3, 4].map((id) => ({ id, prompt: 'Greet.', files, check }))
  return write({
    'SKILL.md': `---\nname: greeter\ndescription: Greets.\n---\n${text}\n`,
    'evals/evals.json': JSON.stringify({ skill_name: 'greeter', evals }),
    ...start,
  })
}

let runs = 0
async function measure(folder: string, ...more: string[]) {
  runs += 1
  const out = join(root, `out-${runs}`)
  const script = join(write({ 'script.json': '{"turns":[{"say":"Done."}]}' }), 'script.json')
  const model = ['--model', 'scripted', '--script', script]
  const agent = ['--agent-file', writeAgent(), ...model, '--out', out]
  const result = await proofboardHere(join(root, 'data'), ['skill', folder, ...agent, ...more])
  const read = () => readFileSync(join(out, 'card.svg'), 'utf8')
  return { ...result, first: result.stdout.split('\n')[0] ?? '', read }
}

it('says first whether a skill helps or hurts on its own evals, stops then, and draws a card', {
  tags: 'bubblewrap',
}, async () => {
  const helps = await measure(skill('Greet.'))
  expect(helps.first, helps.stderr).toMatch(
    /^greeter helps: better by 100 points \(\d+ to 100\) on these tasks; decided after \d+ of 40/,
  )
  expect(helps.read()).toMatch(
    /skill greeter: helps · \+100 points \(\d+ to 100\) · 4 tasks · unranked/,
  )
  const hurts = await measure(skill('Greet. Never.', { 'evals/files/easy': '' }), '--json')
  expect(lastJson(hurts.stdout)).toMatchObject({ decided: { verdict: 'worse' } })
  expect(hurts.read()).toMatch(/skill greeter: hurts · −100 points \(−100 to −\d+\)/)
})

it('refuses what cannot be measured, in one sentence, and writes nothing', async () => {
  const folder = write({
    'SKILL.md': '---\nname: greeter\ndescription: Greets.\n---\n',
    'evals/evals.json': '{"evals":[{"id":1,"prompt":"x","assertions":["It is good"]}]}',
  })
  const { code, stderr, stdout, read } = await measure(folder)
  expect([code !== 0, stdout]).toEqual([true, ''])
  expect(stderr.trim().split('\n')).toEqual([expect.stringContaining('eval 1 has no "check"')])
  const other = await proofboardHere(join(root, 'data'), [
    'skill',
    write({ a: '' }),
    '--model',
    'm',
  ])
  expect(other.stderr).toContain('has no SKILL.md')
  const unnamed = await proofboardHere(join(root, 'data'), ['skill', folder, '--model', 'm'])
  expect([unnamed.code, unnamed.stderr]).toEqual([
    2,
    expect.stringMatching(/^name the agent: .*\n$/),
  ])
  expect(read).toThrow('ENOENT')
})
