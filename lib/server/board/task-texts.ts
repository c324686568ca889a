import { join } from 'node:path'
import type { TaskTexts } from '../../domain/api/index.ts'
import { slugSchema } from '../../domain/record/index.ts'
import { type Task, taskKind } from '../../domain/tasks/index.ts'
import { env } from '../../env.ts'
import { openFile } from '../evidence/byte-reader.ts'
import { readRange } from '../runs/read-log.ts'

const MAX_BYTES = 64 * 1024

/**
 * Reads instructions and stub of an exercise from the suite's folder on this machine (`exercises`, else the imported
 * suites of the data folder). Missing files are left out; a workflow has none, and a repository task contains its
 * instruction itself.
 */
export async function readTaskTexts(suiteId: string, task: Task): Promise<TaskTexts> {
  const texts = taskKind(task).texts(task)
  if (typeof texts === 'string')
    return { instructions: [{ path: 'instruction', text: texts, isCut: false }], stub: [] }
  if (!slugSchema.safeParse(suiteId).success) return { instructions: [], stub: [] }
  const { root, suitesDir } = env()
  const folders = [join(/* turbopackIgnore: true */ root, 'exercises'), suitesDir].map((parent) =>
    join(parent, suiteId, task.taskId),
  )
  const { instructions, solution } = texts
  return {
    instructions: await readAll(folders, instructions),
    stub: await readAll(folders, solution),
  }
}

async function readAll(
  folders: readonly string[],
  paths: readonly string[],
): Promise<TaskTexts['stub']> {
  const texts = await Promise.all(
    paths.map(async (path) => {
      for (const folder of folders) {
        const file = await openFile(join(folder, path))
        const range = await readRange(file, 0, MAX_BYTES).catch(() => null)
        if (range) return [{ path, text: range.text, isCut: range.nextOffset !== null }]
      }
      return []
    }),
  )
  return texts.flat()
}
