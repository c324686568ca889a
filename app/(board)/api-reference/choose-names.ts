import { chooseBoard } from '#lib/server/board/board.ts'
import { listSubjectSummaries } from '#lib/server/board/rows.ts'
import { listEpisodes } from '#lib/server/runs/episodes.ts'

const FIRST = { after: null, limit: 1 }

/** Example values of the API parameters that exist on this server. */
export async function chooseNames(): Promise<Record<string, string>> {
  const [{ board, suiteId }, episodes, subjects] = await Promise.all([
    chooseBoard(null),
    listEpisodes({ withEvidence: true }, FIRST),
    listSubjectSummaries({}, FIRST),
  ])
  const [row, other] = board?.rows ?? []
  const [episode] = episodes.items
  return {
    suiteId: suiteId ?? 'typescript',
    taskId: board?.suite.tasks[0]?.taskId ?? 'two-bucket',
    rowId: row?.rowId ?? 'ROW',
    otherRowId: other?.rowId ?? 'OTHER',
    runId: episode?.runId ?? row?.runIds.at(-1) ?? 'RUN',
    episodeId: episode?.episodeId ?? 'EPISODE',
    subjectId: subjects.items[0]?.subjectId ?? 'SUBJECT',
    axis: 'task-completion',
    name: 'episode',
  }
}
