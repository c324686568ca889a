import { digestBytes } from '#lib/domain/digest/index.ts'
import { CALLS_FILE, type EvidenceFile, type GatewayCall } from '#lib/domain/record/index.ts'
import { type BoardAttack, expectLabelled, sendRegistered } from '../attack.ts'
import type { AttackedBoard } from '../attacked-board.ts'
import { answeredBy, changeCalls, type PlanChanges, type RunChanges } from '../forge.ts'

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

/** A recorded attempt with a false recording; `isAlone` = without a log of calls. */
const falseRecording = (isAlone: boolean): RunChanges => ({
  files: (files, place) => ({
    ...files,
    [CALLS_FILE]: isAlone ? null : (files[CALLS_FILE] ?? null),
    'recording.json': recordingOf(place, isAlone),
  }),
  change: ({ evidence, taskId, repetition }) => {
    const text = recordingOf({ taskId, repetition }, isAlone)
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
/** A different text for each attack, because equal files would count as copies. */
const recordingOf = (
  { taskId, repetition }: { taskId: string; repetition: number },
  isAlone: boolean,
) => `not a recording of ${taskId} ${repetition} ${isAlone} ${'-'.repeat(1000)}`

const VENDOR_MODEL = 'claude-sonnet-4-5'

/** Calls of the vendor's model at a cost chosen by the sender, in envelope and log alike. */
function vendorCalls(call: Pick<GatewayCall, 'costMicroUsd' | 'costSource'>): RunChanges {
  return {
    change: ({ subject, usage }) => ({
      subject: { ...subject, modelObserved: [VENDOR_MODEL] },
      usage: usage && {
        ...usage,
        costMicroUsd: call.costMicroUsd,
        models: usage.models?.map((one) => ({
          ...one,
          model: VENDOR_MODEL,
          asked: [VENDOR_MODEL],
        })),
      },
    }),
    files: (files) => ({
      ...files,
      [CALLS_FILE]: changeCalls(files, () => ({ model: VENDOR_MODEL, ...call })),
    }),
  }
}

/** Attacks with false recordings and costs, and results about other vendors' products. */
export const MODEL_RECORD_ATTACKS: readonly BoardAttack[] = [
  one(
    'false-recording',
    'recorded-real with a file that is not a recording, and no log of calls',
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
      plan: { subject: { modelRequested: VENDOR_MODEL } },
      run: vendorCalls({ costMicroUsd: 1, costSource: 'price-table' }),
    },
  ),
  one(
    'flat-calls',
    "a vendor's model at a millionth of its price, as calls of a subscription",
    expectLabelled('mode-evidence'),
    {
      plan: { subject: { modelRequested: VENDOR_MODEL } },
      run: vendorCalls({ costMicroUsd: 1, costSource: 'flat' }),
    },
  ),
  one(
    'answered-by-another',
    'a model that answers under a declared name of another',
    {
      end: 'shown',
      find: (_row, _board, page) => /gpt-5\.4 \(declared as model-1\)/.exec(page)?.[0] ?? null,
    },
    {
      plan: { subject: { aliases: ['gpt-5.4'] } },
      run: answeredBy('gpt-5.4'),
    },
  ),
  one(
    'defamed-model',
    "a vendor's model at 0 % from untouched stubs of an agent of one's own",
    expectLabelled('evaluated-here', 'mode-evidence'),
    {
      plan: { subject: { modelRequested: VENDOR_MODEL } },
      run: { ...vendorCalls({ costMicroUsd: 1_900_000 }), attempts: () => ['failed'] },
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

/** The honest run as sealed by the runner: unranked only because its model was a script. */
export function scriptedModel(ground: AttackedBoard): BoardAttack {
  const isDirty = ground.real.bundle.lock?.harness.dirty !== false
  return {
    name: 'scripted-model',
    tries: 'the real run of a scripted model, registered and submitted',
    expected: expectLabelled('mode', ...(isDirty ? ['pins'] : [])),
    play: async () => ({ answer: null, runIds: [await ground.submitReal()] }),
  }
}
