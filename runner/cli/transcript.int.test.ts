import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { digestBytes } from '#lib/domain/digest/index.ts'
import { parseBundle } from '#lib/domain/record/index.ts'
import { parseTranscript } from '#lib/domain/transcript/index.ts'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import { ASKS_ONCE, writeFakeAgent } from '#lib/testing/factories/fake-agent.ts'

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
  chmodSync(root, 0o755) // at `local` agents and commands are another user
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

it('is sealed with the episode, whatever the agent leaves under its name, and comes out as a trajectory', async () => {
  const [folder, out, script] = [join(root, 'agent'), join(root, 'out'), join(root, 'script.json')]
  mkdirSync(folder)
  writeFileSync(script, JSON.stringify({ turns: [{ say: 'I give up.' }] }))
  const plant = `echo '{"kind":"transcript","version":1}' > transcript.jsonl; ${ASKS_ONCE}`
  const here = (...args: string[]) => proofboardHere(join(root, 'data'), args)
  await here(
    ...['run', '--suite', 'typescript', '--tasks', 'lru-cache', '--out', out, '--script', script],
    ...['--agent-file', writeFakeAgent(folder, plant)],
    ...['--provider', 'scripted', '--model', 'scripted-1'],
  )
  const parsed = parseBundle(JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')))
  const [episode] = parsed.ok ? parsed.value.episodes : []
  const file = episode?.evidence.find(({ role }) => role === 'transcript')
  const bytes = readFileSync(join(out, 'episodes', 'lru-cache', 'r1-a1', 'transcript.jsonl'))
  expect(file).toMatchObject({ digest: digestBytes(bytes), sizeBytes: bytes.length })
  const transcript = parseTranscript(bytes.toString('utf8'))
  expect(transcript?.steps.map(({ role, text }) => [role, text])).toEqual([
    ['user', 'x'],
    ['assistant', 'I give up.'],
  ])
  expect(transcript?.findings?.findings).toMatchObject([{ scanner: 'gave-up', steps: [2] }])
  const seen = [transcript?.steps[0]?.changes, transcript?.end?.changes]
  expect(seen.flatMap((changes) => changes?.files ?? [])).toMatchObject([
    { path: 'transcript.jsonl', kind: 'added' },
  ])
  const { stdout } = await here('export', out, '--format', 'atif')
  expect(JSON.parse(stdout)).toMatchObject({
    schema_version: 'ATIF-v1.4',
    session_id: episode?.episodeId,
    steps: [{ source: 'user' }, { source: 'agent', message: 'I give up.' }],
  })
})
