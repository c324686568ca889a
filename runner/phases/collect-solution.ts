import type { TamperFinding } from '#lib/domain/tamper-finding.ts'
import type { LoadedExercise, SourceText } from '../suites/task-folder.ts'
import { readPlainFile } from './read-plain-file.ts'

const MOST_BYTES = 1 << 20

export type CollectedSolution = {
  files: SourceText[]
  missing: string[]
  findings: TamperFinding[]
}

/** Takes the declared solution files, and nothing else, out of the workspace into memory. */
export async function collectSolution(
  task: LoadedExercise,
  workspace: string,
): Promise<CollectedSolution> {
  const collected: CollectedSolution = { files: [], missing: [], findings: [] }
  for (const path of task.task.files.solution) {
    const found = await readPlainFile(workspace, path, MOST_BYTES)
    if (found.kind === 'read') collected.files.push({ path, text: found.bytes.toString('utf8') })
    else if (found.kind === 'missing') collected.missing.push(path)
    else if (found.reason.includes('link'))
      collected.findings.push({ code: 'solution-is-link', detail: `${path}: ${found.reason}` })
    else collected.missing.push(`${path} (${found.reason})`)
  }
  return collected
}
