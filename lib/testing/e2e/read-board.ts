import { boardSchema } from '#lib/domain/board/board-row.ts'
import { waitUntil } from './wait-until.ts'

export type ReadRow = {
  label: string
  solved: number
  scored: number
  reasons: string[]
  runIds: string[]
}

/** The board's rows by subject, as `/api/v1/leaderboard` gives them; empty while there is no such suite. */
export async function readBoard(url: string): Promise<Map<string, ReadRow>> {
  const answer = await fetch(`${url}/api/v1/leaderboard?suite=typescript`)
  if (!answer.ok) return new Map()
  const { rows } = boardSchema.parse(await answer.json())
  return new Map(
    rows.map(({ subject, label, tasks, refusals, runIds }) => [
      subject.name,
      {
        label,
        solved: tasks.reduce((sum, task) => sum + task.solved, 0),
        scored: tasks.reduce((sum, task) => sum + task.scored, 0),
        reasons: refusals.map(({ reason }) => reason),
        runIds,
      },
    ]),
  )
}

/** Waits until the reference and nop rows have all their 25 episodes. */
export function boardFilled(url: string): Promise<Map<string, ReadRow>> {
  return waitUntil(
    'the reference and nop rows with 25 episodes each',
    async () => {
      const rows = await readBoard(url)
      return ['reference', 'nop'].every((name) => rows.get(name)?.scored === 25) ? rows : null
    },
    { limitMs: 200_000 },
  )
}
