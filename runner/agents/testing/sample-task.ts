import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { digestBytes } from '#lib/domain/digest.ts'
import { readTaskFolder } from '../../suites/read-task-folder.ts'
import type { LoadedExercise } from '../../suites/task-folder.ts'

/** A small task on disk below `root`, loaded; its instructions are the caller's. */
export function sampleTask(root: string, instructions = '# Sum\n\nAdd.'): LoadedExercise {
  const files = {
    '.docs/instructions.md': instructions,
    'sum.ts': 'export const sum = 0\n',
    'sum.test.ts': "it('adds', () => {})\n",
    '.meta/reference.ts': 'export const sum = 1\n',
    '.meta/config.json': JSON.stringify({
      files: { solution: ['sum.ts'], test: ['sum.test.ts'], example: ['.meta/reference.ts'] },
    }),
  }
  for (const [path, text] of Object.entries(files)) {
    const target = join(root, 'sum', path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, text)
  }
  const folder = readTaskFolder(join(root, 'sum'))
  return {
    ...folder,
    task: { ...folder.draft, digest: digestBytes('sum'), expectedTests: ['adds'] },
  }
}
