import { buildBoard, type PlannedRun } from '#lib/domain/board/index.ts'
import type { EpisodeFact } from '#lib/domain/record/index.ts'
import { seededGenerator } from '#lib/domain/statistics/index.ts'
import { SAMPLE_AGENT, sampleBoardSuite, sampleRun } from '../factories/sample-run.ts'
import { benchRanking } from './bench-ranking.ts'

const SIZE = { rows: 200, tasks: 100, repetitions: 20 }

/**
 * Measures how long a large board takes the worker: ranking alone with its bootstrap, and the whole board from facts.
 */
export function main(): void {
  const ranking = benchRanking(() => performance.now())
  const { facts, runs, suite } = sampleFacts()
  const started = performance.now()
  const board = buildBoard({ suite, facts, runs })
  const boardMs = performance.now() - started
  const size = `${SIZE.rows} rows x ${SIZE.tasks} tasks x ${SIZE.repetitions} repetitions`
  process.stdout.write(
    [
      `board of ${size}, made-up facts`,
      `ranking with tests of ${ranking.ranking.pairs} pairs and ${ranking.ranking.resamples} resamples: ${seconds(ranking.durationMs)} (goal 2 s)`,
      `whole board out of ${facts.length} facts (eligibility, intervals, costs, ranks): ${seconds(boardMs)}, ${board.rows.length} rows`,
      '',
    ].join('\n'),
  )
}

function sampleFacts() {
  const suite = sampleBoardSuite(SIZE.tasks)
  const chance = seededGenerator(7)
  const facts: EpisodeFact[] = []
  const runs: PlannedRun[] = []
  for (let row = 0; row < SIZE.rows; row++) {
    const skill = chance.nextUnit()
    const one = sampleRun({
      suite,
      repetitions: SIZE.repetitions,
      runId: `run_bench${String(row).padStart(4, '0')}`,
      subject: { ...SAMPLE_AGENT, name: `agent-${row}` },
      status: () => (chance.nextUnit() < skill ? 'solved' : 'unsolved'),
    })
    runs.push(one.run)
    facts.push(...one.facts)
  }
  return { suite, facts, runs }
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`
