import { join } from 'node:path'
import { digestBytes } from '#lib/domain/digest/index.ts'
import { CALLS_FILE, type EvidenceFile, type GatewayCall } from '#lib/domain/record/index.ts'
import type { ScanKnowledge } from '#lib/domain/transcript/index.ts'
import type { FindSecrets } from '../redact/find-secrets.ts'
import { redactText } from '../redact/redact.ts'
import { redactLines } from '../redact/redact-lines.ts'
import type { CappedLog } from '../sandbox/process/capped-log.ts'
import type { LoadedExercise, SourceText } from '../suites/task-folder.ts'
import { sealTranscript } from '../transcript/seal-transcript.ts'
import type { TranscriptFile } from '../transcript/transcript-file.ts'
import type { Verified } from './evaluate-contract.ts'
import { writeAtomic } from './files.ts'
import { diffWorkspace } from './workspace.ts'

/** The path of an attempt's recording in its folder. */
export const RECORDING_FILE = 'recording.json'

type Sources = {
  task: LoadedExercise
  workspace: string
  log: CappedLog
  droppings: readonly string[]
  /** Finds secrets; only the solution stays unredacted, because it may be graded again. */
  find: FindSecrets
  verified: Verified
  /** The gateway's evidence: its recording as text, its calls; null = none. */
  recording: string | null
  calls: readonly GatewayCall[] | null
  transcript: TranscriptFile | null
}
/** The gateway's evidence: its recording as text, its calls, the transcript; null = none. */
type GatewayEvidence = Pick<Sources, 'recording' | 'calls' | 'transcript'>
type NewFile = { role: EvidenceFile['role']; path: string; text: string }

/** Phase 5: stores diff, verifier log and solution next to the subject's log, each named by digest and size. */
export async function collectEvidence(
  attemptFolder: string,
  { task, workspace, log, droppings, find, verified, ...gateway }: Sources,
): Promise<EvidenceFile[]> {
  const clean = (text: string) => redactText(text, find).text
  const verifierLog = verified.evaluation?.log ?? 'The contract was not evaluated.\n'
  const wanted: NewFile[] = [
    { role: 'gate-log', path: 'gate.log', text: clean(verifierLog) },
    {
      role: 'workspace-diff',
      path: 'workspace.diff',
      text: clean(await diffWorkspace(task, workspace, droppings)),
    },
    ...verified.solution.files.map(({ path, text }) => ({
      role: 'solution' as const,
      path: join('solution', path),
      text,
    })),
  ]
  return storeEvidence(attemptFolder, wanted, {
    log,
    find,
    ...gateway,
    knowledge: knowledgeOf(task, verified.solution.files),
  })
}

/** Stores these files next to the subject's log and the gateway's evidence. */
export async function storeEvidence(
  attemptFolder: string,
  parts: readonly NewFile[],
  {
    log,
    find,
    knowledge,
    recording,
    calls,
    transcript,
  }: GatewayEvidence & Pick<Sources, 'log' | 'find'> & { knowledge: ScanKnowledge },
): Promise<EvidenceFile[]> {
  const wanted = [...parts]
  if (calls !== null)
    wanted.push({ role: 'events', path: CALLS_FILE, text: redactLines(calls, find) })
  if (recording !== null)
    wanted.push({ role: 'gateway-recording', path: RECORDING_FILE, text: recording })
  const stored = await Promise.all(wanted.map((one) => keep(attemptFolder, one)))
  const sealed = sealTranscript(transcript, knowledge)
  return [closeLog(log), ...stored, ...(sealed === null ? [] : [sealed])]
}

/** Texts that the scanners of a transcript compare with. */
function knowledgeOf(task: LoadedExercise, solution: readonly SourceText[]): ScanKnowledge {
  const { tests, reference, instructions, stubs, support } = task
  return {
    task: { id: task.task.taskId, title: task.task.title },
    tests,
    reference,
    solution,
    given: [instructions, ...[...stubs, ...support].map(({ text }) => text)],
    expect: task.task.expect,
  }
}

/** The subject's own log as evidence; later output is dropped. */
export function closeLog(log: CappedLog): EvidenceFile {
  return { role: 'subject-log', path: 'subject.log', ...log.close() }
}

async function keep(attemptFolder: string, { role, path, text }: NewFile): Promise<EvidenceFile> {
  const bytes = Buffer.from(text)
  await writeAtomic(join(attemptFolder, path), bytes)
  return { role, path, digest: digestBytes(bytes), sizeBytes: bytes.length, droppedBytes: 0 }
}
