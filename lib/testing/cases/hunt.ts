import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type Episode, parseBundle } from '../../domain/record/index.ts'
import {
  createTestClone,
  type HuntResult,
  huntCommand,
  readHuntResult,
  type TestClone,
} from '../chaos/test-clone.ts'
import { lastJson } from '../factories/proofboard-command.ts'

const KEY = 'sk-ant-planted-0123456789abcdef'
const WORD = 'planted-secret-4711'

/** Expected result of a search in a sandbox. */
export const NOTHING: HuntResult = {
  key: false,
  environment: false,
  secret: false,
  database: false,
  reference: false,
  history: false,
  others: false,
  runs: false,
}

/** A clone with secrets in its data folder, for agents to find. */
export function huntingGround(): TestClone {
  const clone = createTestClone()
  mkdirSync(join(clone.data, 'runs', 'run_earlier00'), { recursive: true })
  for (const name of ['auth-secret', 'proofboard.db'])
    writeFileSync(join(clone.data, name), WORD, { mode: 0o600 })
  return clone
}

/** Arguments of one attempt at an isolation level. */
export const attemptAt = (level: string, command: string, ...more: string[]) => [
  ...['run', '--suite', 'typescript', '--tasks', 'lru-cache', '--isolation', level],
  ...['--command', command, '--json', ...more],
]

/** Runs two concurrent attempts that search for everything, including each other's files. */
export async function hunt(clone: TestClone, level: string, name: string) {
  const out = join(clone.data, 'runs', name)
  const { root, data, temporary } = clone
  const command = huntCommand({ clone: root, data, temporary, key: KEY, word: WORD })
  const twice = ['--repetitions', '2', '--concurrency', '2', '--out', out]
  const ended = await clone.run(attemptAt(level, command, ...twice), { ANTHROPIC_API_KEY: KEY })
  expect(ended.code, ended.stderr).toBe(0)
  const episodes = readEpisodes(out)
  const found = ['r1-a1', 'r2-a1'].map((attempt) =>
    readHuntResult(
      readFileSync(join(out, 'episodes', 'lru-cache', attempt, 'subject.log'), 'utf8'),
    ),
  )
  return { found, episodes, out, ...ended }
}

/** Reads the episodes in a run's folder. */
export function readEpisodes(out: string): Episode[] {
  const parsed = parseBundle(JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')))
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems.slice(0, 3)))
  return parsed.value.episodes
}

/** The reason why the board refuses a run's entry for what its agent could read; `none` = it does not. */
export const reasonOf = (stdout: string): string => {
  const { rows } = lastJson(stdout) as { rows: { reasons: { code: string; text: string }[] }[] }
  return rows[0]?.reasons.find(({ code }) => code === 'answers-out-of-reach')?.text ?? 'none'
}
