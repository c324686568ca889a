import { CALLS_FILE, digestBytes, type EvidenceFile } from '#lib/domain/record/index.ts'
import { type BoardAttack, expectLabelled, sendRegistered } from '../attack.ts'
import { changeCalls, type PlanChanges, type RunChanges } from '../forge.ts'

const one = (
  name: string,
  tries: string,
  expected: BoardAttack['expected'],
  told: { plan?: PlanChanges; run?: RunChanges },
): BoardAttack => ({
  name,
  tries,
  expected,
  play: (ground) => sendRegistered(ground, name, told),
})

/** A recorded attempt with a recording that is not one; `isAlone` = without a log of calls. */
const falseRecording = (isAlone: boolean): RunChanges => ({
  files: (files, place) => ({
    ...files,
    [CALLS_FILE]: isAlone ? null : (files[CALLS_FILE] ?? null),
    'recording.json': recordingOf(place),
  }),
  change: ({ evidence, taskId, repetition }) => {
    const text = recordingOf({ taskId, repetition })
    const others = evidence.filter(({ path }) => !isAlone || path !== CALLS_FILE)
    const recording: EvidenceFile = {
      role: 'gateway-recording',
      path: 'recording.json',
      droppedBytes: 0,
      digest: digestBytes(text),
      sizeBytes: Buffer.byteLength(text),
    }
    return { mode: 'recorded-real', evidence: [...others, recording] }
  },
})
const recordingOf = ({ taskId, repetition }: { taskId: string; repetition: number }) =>
  `not a recording of ${taskId} ${repetition} ${'-'.repeat(1000)}`

/** Attacks with false recordings and costs, and results about products of others. */
export const MODEL_RECORD_ATTACKS: readonly BoardAttack[] = [
  one(
    'false-recording',
    'recorded-real with a file that is no recording, and no log of calls',
    expectLabelled('mode-evidence'),
    { run: falseRecording(true) },
  ),
  one(
    'false-recording-with-calls',
    'the same beside a log of calls',
    expectLabelled('mode-evidence'),
    { run: falseRecording(false) },
  ),
  one(
    'cheap-calls',
    "a vendor's model at a millionth of its price, in envelope and log alike",
    expectLabelled('mode-evidence'),
    {
      plan: { subject: { modelRequested: 'claude-sonnet-4-5' } },
      run: {
        change: ({ subject, usage }) => ({
          subject: { ...subject, modelObserved: ['claude-sonnet-4-5'] },
          usage: usage && { ...usage, costMicroUsd: 1 },
        }),
        files: (files) => ({
          ...files,
          [CALLS_FILE]: changeCalls(files, () => ({
            model: 'claude-sonnet-4-5',
            costMicroUsd: 1,
            costSource: 'price-table' as const,
          })),
        }),
      },
    },
  ),
  one(
    'defamed-vendor',
    "a vendor's agent at 0 % from untouched stubs",
    expectLabelled('evaluated-here'),
    {
      plan: { subject: { name: 'claude', adapterVersion: 'c39fd55826c3-p3' } },
      run: { attempts: () => ['failed'] },
    },
  ),
]
