import { join } from 'node:path'
import { redactText } from '../redact/redact.ts'
import type { Change } from '../repository/overlay.ts'
import { CHANGES_FILE, writeChanges } from '../repository/write-changes.ts'
import type { SubjectResult } from '../subjects/subject-driver.ts'
import type { SourceText } from '../suites/task-folder.ts'
import { storeEvidence } from './collect-evidence.ts'
import type { AttemptContext, StoredEvidence } from './environment-adapter.ts'

/** Result of an attempt whose work is a patch. */
export type PatchWork = {
  changes: readonly Change[]
  /** Readable form of the changes. */
  diff: string
  /** Output of judging; null = nothing was judged. */
  log: string | null
  /** Texts that every subject gets: the instruction, and files of the base. */
  given: readonly string[]
  /** The task's own tests, which the subject never saw. */
  tests: readonly Change[]
  reference: readonly Change[]
}

/** Stores the redacted evidence of an attempt whose work is a patch, below its folder. */
export async function collectPatch(
  { attemptFolder, find, log, task }: AttemptContext,
  { ending }: SubjectResult,
  work: PatchWork,
): Promise<StoredEvidence> {
  const { recording = null, calls = null, transcript = null } = ending
  const clean = (text: string) => redactText(text, find).text
  const { taskId, title, expect } = task.task
  const files = await storeEvidence(
    attemptFolder,
    [
      {
        role: 'gate-log',
        path: 'gate.log',
        text: clean(work.log ?? 'The contract was not evaluated.\n'),
      },
      { role: 'workspace-diff', path: 'workspace.diff', text: clean(work.diff) },
      { role: 'solution', path: join('solution', CHANGES_FILE), text: writeChanges(work.changes) },
    ],
    {
      log,
      find,
      recording,
      calls,
      transcript,
      knowledge: {
        task: { id: taskId, title },
        tests: textsOf(work.tests),
        reference: textsOf(work.reference),
        solution: textsOf(work.changes),
        given: work.given,
        expect,
      },
    },
  )
  return { files }
}

function textsOf(changes: readonly Change[]): SourceText[] {
  return changes.flatMap(({ path, bytes }) =>
    bytes === null ? [] : [{ path, text: bytes.toString('utf8') }],
  )
}
