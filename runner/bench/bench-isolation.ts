import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { settingsSchema } from '#lib/domain/plan.ts'
import { chooseIsolation } from '../isolation/choose-isolation.ts'
import type { Isolation } from '../isolation/isolation.ts'
import { runEnclosed } from '../isolation/run-enclosed.ts'
import { CappedLog } from '../process/capped-log.ts'
import { OWN_ENV } from '../process/own-env.ts'

const ROUNDS = 10

/** What each level of isolation costs a start, from the request until all of it is gone again. */
export async function benchIsolation(): Promise<void> {
  const lines = [`start and end of one program, median of ${ROUNDS}`]
  for (const level of settingsSchema.shape.isolation.options) {
    const isolation = chooseIsolation(level)
    const refusal = await isolation.available()
    if (refusal !== null) lines.push(`${level.padEnd(12)} not on this machine: ${refusal}`)
    else {
      const empty = await measure(isolation, ['true'])
      const node = await measure(isolation, ['node', '-e', '0'])
      lines.push(`${level.padEnd(12)} true ${empty} ms, node ${node} ms`)
    }
  }
  process.stdout.write(`${lines.join('\n')}\n\n`)
}

async function measure(isolation: Isolation, command: readonly string[]): Promise<number> {
  const walls: number[] = []
  for (let round = 0; round <= ROUNDS; round++) walls.push(await startOnce(isolation, command))
  const warm = walls.slice(1).sort((a, b) => a - b)
  return Math.round(warm[Math.floor(warm.length / 2)] ?? Number.NaN)
}

async function startOnce(isolation: Isolation, command: readonly string[]): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'proofboard-bench-'))
  const log = new CappedLog(join(folder, 'log'), 1 << 16)
  try {
    const places = {
      workspace: join(folder, 'workspace'),
      home: join(folder, 'home'),
      temporary: join(folder, 'tmp'),
    }
    for (const path of Object.values(places)) await mkdir(path)
    const start = performance.now()
    const ending = await runEnclosed(
      {
        isolation,
        ...places,
        folder,
        marker: `bench-${process.pid}`,
        runMark: `bench-${process.pid}`,
        settings: { timeoutMs: 60_000, diskQuotaBytes: 64 << 20 },
        log,
        signal: new AbortController().signal,
      },
      { command, env: { PATH: OWN_ENV.PATH ?? '' } },
    )
    if (ending.exitCode !== 0) throw new Error(`${isolation.level} could not start ${command[0]}`)
    return performance.now() - start
  } finally {
    log.close()
    await rm(folder, { recursive: true, force: true })
  }
}
