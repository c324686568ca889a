import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { SourceText } from '../suites/task-folder.ts'

/** Writes solution files into a workspace, as a subject that edits files would. */
export async function writeSolution(
  workspace: string,
  files: readonly SourceText[],
): Promise<void> {
  for (const { path, text } of files) {
    const target = join(workspace, path)
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, text)
  }
}
